// Dark things on a dark backdrop: their edges catch a faint light, and what is nearly black is lifted to a dark grey.
// How much of both is the same for all materials, and none on a light backdrop.
import type * as THREE from "three";

const rim = { value: 0 };
const lift = { value: 0 };

export function setBackdropDark(dark: boolean): void {
  rim.value = dark ? 0.32 : 0;
  lift.value = dark ? 0.05 : 0;
}

export function seenOnDark(material: THREE.MeshStandardMaterial): void {
  material.onBeforeCompile = (shader): void => {
    shader.uniforms.rim = rim;
    shader.uniforms.lift = lift;
    shader.fragmentShader = `uniform float rim;\nuniform float lift;\n${shader.fragmentShader}`
      .replace("#include <color_fragment>", `#include <color_fragment>
        float brightest = max(diffuseColor.r, max(diffuseColor.g, diffuseColor.b));
        if (brightest < 0.001) diffuseColor.rgb = vec3(lift);
        else if (brightest < lift) diffuseColor.rgb *= lift / brightest;`)
      .replace("#include <emissivemap_fragment>", `#include <emissivemap_fragment>
        float facing = abs(dot(normal, normalize(vViewPosition)));
        totalEmissiveRadiance += rim * vec3(0.62, 0.74, 0.95) * pow(1.0 - facing, 4.0)
          * (1.0 - smoothstep(0.02, 0.14, brightest));`);
  };
}
