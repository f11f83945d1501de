// Tests are functions with a name that says what is true; all run, and one that fails fails the program.
const tests = [];
export function test(name, run) {
  tests.push({ name, run });
}

export async function runTests() {
  let failed = 0;
  for (const { name, run } of tests) {
    const start = performance.now();
    try {
      await run();
      console.log(`ok    ${((performance.now() - start) / 1000).toFixed(1)} s  ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAIL  ${name}\n${error.stack ?? error}`);
    }
  }
  console.log(`${tests.length - failed} of ${tests.length} passed`);
  process.exitCode = failed || tests.length === 0 ? 1 : 0;
}
