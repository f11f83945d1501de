// What vite.config.ts uses of Node.js.
declare module "node:crypto" {
  export function createHash(name: string): { update(text: string): { digest(form: "base64"): string } };
}
