// Reports to a file what Vitest's own report in JSON leaves out: errors that were thrown outside of any test.
import { writeFileSync } from 'node:fs';

export default class ErrorsReporter {
  onTestRunEnd(_modules, errors) {
    const texts = errors.map(({ stack, message }) => String(stack || message));
    writeFileSync(process.env.ERRORS_FILE, JSON.stringify(texts));
  }
}
