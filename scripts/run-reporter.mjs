// Reports to a file what Vitest's own report in JSON leaves out: errors that were thrown outside of any test, and how
// long each file took with its hooks and imports.
import { writeFileSync } from 'node:fs';

export default class RunReporter {
  onTestRunEnd(modules, errors) {
    const texts = errors.map(({ stack, message }) => String(stack || message));
    const files = modules.map((module) => {
      const { duration, collectDuration, environmentSetupDuration, prepareDuration, setupDuration } =
        module.diagnostic();
      return {
        name: module.moduleId,
        milliseconds: duration + collectDuration + environmentSetupDuration + prepareDuration + setupDuration,
      };
    });
    writeFileSync(process.env.RUN_FILE, JSON.stringify({ errors: texts, files }));
  }
}
