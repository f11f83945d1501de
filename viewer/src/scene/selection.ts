// The body that was chosen: a frame around its shapes, over everything.
import * as THREE from "three";
import type { Actor } from "./actor";
import { Posed } from "./posed";

const COLOR = "#ffd23f";
const AIR = 0.01; // of the robot's size, around the shapes

// From outside at a canvas: a press and a release at one place, with one finger or the left button.
export function onClick(canvas: HTMLElement, clicked: (x: number, y: number) => void): void {
  const STILL = 5; // pixels
  let from: { x: number; y: number; id: number } | null = null;
  canvas.addEventListener("pointerdown", (event) => {
    from = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY, id: event.pointerId } : null;
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!from || event.pointerId !== from.id) return;
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < STILL) clicked(event.clientX, event.clientY);
    from = null;
  });
}

export class SelectionFrame {
  private readonly posed = new Posed();
  private readonly edges = new THREE.LineSegments(
    new THREE.EdgesGeometry(new THREE.BoxGeometry(1, 1, 1)), new THREE.LineBasicMaterial({ color: COLOR }));
  private body = -1;

  constructor(private readonly actor: Actor, over: THREE.Scene, private readonly size: number) {
    this.posed.root.visible = false;
    over.add(this.posed.root);
  }

  set(body: number): void {
    this.body = body;
    this.posed.root.visible = body >= 0;
    if (body < 0) return;
    const box = new THREE.Box3();
    for (const part of this.actor.robot.boxes[body]) box.union(part);
    if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3());
    box.expandByScalar(AIR * this.size);
    box.getCenter(this.edges.position);
    box.getSize(this.edges.scale);
    this.posed.on(body).add(this.edges);
  }

  update(): void {
    if (this.body >= 0) this.posed.pose(this.actor.placing);
  }
}
