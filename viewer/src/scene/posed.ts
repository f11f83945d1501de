// Groups of three that go with bodies, made for those that are asked for. The groups stand side by side, not in each
// other: the kinematics has put them into the world already.
import * as THREE from "three";
import { WIDE, type Placing } from "./placing";

export class Posed {
  readonly root = new THREE.Group();
  private readonly bodies = new Map<number, THREE.Group>();

  constructor() {
    this.root.matrixAutoUpdate = false;
  }

  on(body: number): THREE.Group {
    let group = this.bodies.get(body);
    if (!group) {
      group = new THREE.Group();
      group.matrixAutoUpdate = false;
      this.bodies.set(body, group);
      this.root.add(group);
    }
    return group;
  }

  pose({ anchor, data }: Placing): void {
    this.root.matrix.copy(anchor);
    this.root.matrixWorldNeedsUpdate = true;
    for (const [body, group] of this.bodies) {
      const m = group.matrix.elements;
      for (let c = 0; c < 4; c++) for (let r = 0; r < 3; r++) m[4 * c + r] = data[WIDE * body + 3 * c + r];
      group.matrixWorldNeedsUpdate = true;
    }
  }
}
