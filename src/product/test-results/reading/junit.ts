import {
  attemptOf,
  cleanInstant,
  cleanSeconds,
  explicitId,
  splitParameters,
  testOf,
  withFiles,
  type FoundFile,
  type MachineResult,
  type ParsedAttempt,
  type ParsedTest,
} from './parsed-test';
import type { XmlListener } from './xml';

interface Suite {
  readonly name: string | null;
  readonly file: string | null;
  readonly startedAt: string | null;
}

interface Problem {
  readonly result: MachineResult;
  readonly message: string | null;
  details: string;
  readonly seconds: number | null;
}

/** Problems of earlier attempts, by how Surefire writes them: before a success, and after the first failure. */
const retries: ReadonlyMap<string, MachineResult> = new Map([
  ['flakyFailure', 'failed'],
  ['flakyError', 'broken'],
  ['rerunFailure', 'failed'],
  ['rerunError', 'broken'],
]);
const outcomes: ReadonlyMap<string, MachineResult> = new Map([
  ['failure', 'failed'],
  ['error', 'broken'],
  ['skipped', 'skipped'],
]);
const skippedStates = new Set(['notrun', 'skipped', 'disabled', 'suppressed', 'ignored', 'inconclusive']);

/** What a test printed; files are named there as `[[ATTACHMENT|path]]`. */
const outputs: ReadonlySet<string> = new Set(['system-out', 'system-err']);

/**
 * JUnit XML in the dialects of JUnit, Surefire, Gradle, pytest, Jest, Mocha, PHPUnit, Catch2, GoogleTest and others: they
 * differ in where they say the file, the class, and what an attempt was.
 */
export function junitListener(emit: (test: ParsedTest) => void): XmlListener {
  const suites: Suite[] = [];
  let test: Readonly<Record<string, string>> | undefined;
  let problems: Problem[] = [];
  let earlier: Problem[] = [];
  let properties: [string, string][] = [];
  let files: FoundFile[] = [];
  let open: Problem | undefined;

  const finish = (attributes: Readonly<Record<string, string>>) => {
    const around = suites.at(-1);
    const { name, parameters } = splitParameters(attributes.name ?? '');
    const startedAt = cleanInstant(attributes.timestamp ?? around?.startedAt);
    const toAttempt = ({ result, message, details, seconds }: Problem): ParsedAttempt =>
      attemptOf(result, { seconds, message, details, started_at: startedAt });
    const seconds = cleanSeconds(attributes.time ?? attributes.duration);
    const states = [attributes.status, attributes.result].map((state) => state?.toLowerCase() ?? '');
    const own = problems[0];
    const hasRun = own !== undefined || !states.some((state) => skippedStates.has(state));
    const last = withFiles(
      own
        ? toAttempt({ ...own, seconds: own.seconds ?? seconds })
        : attemptOf(hasRun ? 'passed' : 'skipped', { seconds, started_at: startedAt }),
      files,
    );
    const others = earlier.map(toAttempt);
    // Surefire writes the first failure as that of the test, and those of its reruns behind it.
    const isRerun = own !== undefined && own.result !== 'skipped';
    emit(
      testOf({
        name,
        parameters,
        suite: attributes.classname ?? attributes.class ?? around?.name ?? null,
        file: attributes.file ?? attributes.filepath ?? around?.file ?? null,
        explicit_id: explicitId(properties, attributes.name),
        attempts: isRerun ? [last, ...others] : [...others, last],
      }),
    );
  };

  return {
    wantsText: (path) => {
      const name = path.at(-1)!;
      return (
        outcomes.has(name) ||
        retries.has(name) ||
        name === 'stackTrace' ||
        (test !== undefined && (name === 'property' || outputs.has(name)))
      );
    },
    open(name, attributes) {
      if (name === 'testsuite') {
        suites.push({
          name: attributes.name ?? null,
          file: attributes.file ?? attributes.filepath ?? suites.at(-1)?.file ?? null,
          startedAt: attributes.timestamp ?? null,
        });
      } else if (name === 'testcase') {
        [test, problems, earlier, properties, files] = [attributes, [], [], [], []];
      } else if (test && (outcomes.has(name) || retries.has(name))) {
        open = {
          result: outcomes.get(name) ?? retries.get(name)!,
          message: attributes.message ?? attributes.type ?? null,
          details: '',
          seconds: retries.has(name) ? cleanSeconds(attributes.time) : null,
        };
      } else if (test && name === 'property' && attributes.name !== undefined && attributes.value !== undefined) {
        properties.push([attributes.name, attributes.value]);
      }
    },
    close(name, text) {
      if (name === 'testsuite') suites.pop();
      else if (name === 'testcase' && test) {
        finish(test);
        test = undefined;
      } else if (test && outputs.has(name)) {
        // In what the system printed within a retry, too: it is not told which file belongs to which attempt.
        for (const [, path] of text.matchAll(/\[\[ATTACHMENT\|([^\]\n]{1,1000})\]\]/g))
          files.push({ name: '', content: { path: path!.trim() } });
      } else if (open && name === 'stackTrace') open.details += text;
      else if (open && (outcomes.has(name) || retries.has(name))) {
        open.details = open.details.trim() === '' ? text : open.details;
        (retries.has(name) ? earlier : problems).push(open);
        open = undefined;
      }
    },
  };
}
