import {
  attemptOf,
  cleanInstant,
  explicitId,
  testOf,
  withFiles,
  type MachineResult,
  type ParsedTest,
} from './parsed-test';
import type { XmlListener } from './xml';
import { lastOf, requireValue } from '../../../engine/values/lookups';

interface TrxResult {
  readonly testId: string;
  readonly name: string;
  readonly outcome: string;
  readonly duration: string | undefined;
  readonly startTime: string | undefined;
  message: string;
  details: string;
  output: string[];
  hasInner: boolean;
  /** Where files of the result are. */
  readonly paths: string[];
}

interface TrxTest {
  className: string | null;
  name: string | null;
  storage: string | null;
  readonly properties: [string, string][];
}

const results: ReadonlyMap<string, MachineResult> = new Map([
  ['passed', 'passed'],
  ['passedbutrunaborted', 'passed'],
  ['warning', 'passed'],
  ['failed', 'failed'],
  ['error', 'broken'],
  ['timeout', 'broken'],
  ['aborted', 'broken'],
  ['disconnected', 'broken'],
]);

const wrongOutcomes: ReadonlySet<string> = new Set(['failed', 'error', 'timeout', 'aborted', 'disconnected']);

/**
 * Visual Studio's test results. The names of tests in the code come after the results, so they are kept until the
 * end.
 */
export function trxListener(emit: (test: ParsedTest) => void): XmlListener {
  const trxResults: TrxResult[] = [];
  const open: TrxResult[] = [];
  const tests = new Map<string, TrxTest>();
  let current: TrxTest | undefined;
  let key = '';
  let runOutcome = '';
  const runErrors: string[] = [];

  const emitAll = () => {
    // Adapters repeat in them which tests have failed; an error of a cleanup is in them alone.
    const hasWrong = trxResults.some(({ outcome }) => wrongOutcomes.has(outcome.toLowerCase()));
    const errors = hasWrong ? runErrors.filter((text) => /\bclean-?up\b/i.test(text)) : runErrors;
    if (errors.length > 0)
      emit(testOf({ name: 'Errors of the run', attempts: [attemptOf('broken', { message: errors })] }));
    for (const {
      testId,
      name,
      outcome,
      duration,
      startTime,
      message,
      details,
      output,
      hasInner,
      paths,
    } of trxResults) {
      // A test with data is told by its rows.
      if (hasInner) continue;
      const test = tests.get(testId);
      const result = results.get(outcome.toLowerCase()) ?? 'skipped';
      const testName = test?.name ?? name;
      const parameters = parametersIn(name, testName);
      emit(
        testOf({
          // NUnit writes parameters into the name in the code, too.
          name:
            parameters !== null && testName.endsWith(`(${parameters})`)
              ? testName.slice(0, -parameters.length - 2)
              : testName,
          suite: test?.className?.split(',')[0] ?? null,
          file: null,
          parameters,
          explicit_id: explicitId(test?.properties ?? [], name),
          attempts: [
            withFiles(
              attemptOf(result, {
                seconds: secondsOf(duration),
                message,
                details: details === '' ? message : details,
                output: output.join('\n\n'),
                started_at: cleanInstant(startTime),
              }),
              paths.map((path) => ({ name: '', content: { path } })),
            ),
          ],
        }),
      );
    }
  };

  return {
    wantsText: (path) => ['Message', 'StackTrace', 'StdOut', 'StdErr', 'Text', 'Key', 'Value'].includes(lastOf(path)),
    open(name, attributes) {
      if (name === 'UnitTestResult') {
        const parentResult = open.at(-1);
        if (parentResult) parentResult.hasInner = true;
        open.push({
          testId: attributes.testId ?? parentResult?.testId ?? '',
          name: attributes.testName ?? '',
          outcome: attributes.outcome ?? 'Passed',
          duration: attributes.duration,
          startTime: attributes.startTime,
          message: '',
          details: '',
          output: [],
          hasInner: false,
          paths: [],
        });
      } else if (name === 'ResultFile' && attributes.path !== undefined && open.length > 0) {
        lastOf(open).paths.push(attributes.path);
      } else if (name === 'RunInfo') runOutcome = attributes.outcome?.toLowerCase() ?? '';
      else if (name === 'UnitTest') {
        current = { className: null, name: null, storage: attributes.storage ?? null, properties: [] };
        if (attributes.id !== undefined) tests.set(attributes.id, current);
      } else if (name === 'TestMethod' && current) {
        current.className = attributes.className ?? null;
        current.name = attributes.name ?? null;
      }
    },
    close(name, text, path) {
      if (name === 'UnitTestResult') trxResults.push(requireValue(open.pop(), 'the result that ends'));
      else if (name === 'Message' && path.at(-2) === 'ErrorInfo' && open.length > 0) lastOf(open).message = text;
      else if ((name === 'StdOut' || name === 'StdErr') && open.length > 0) lastOf(open).output.push(text);
      else if (name === 'Text' && path.at(-2) === 'RunInfo' && ['error', 'failed'].includes(runOutcome))
        runErrors.push(text);
      else if (name === 'StackTrace' && open.length > 0) lastOf(open).details = text;
      else if (name === 'Key') key = text;
      else if (name === 'Value' && current) current.properties.push([key, text]);
      else if (name === 'UnitTest') current = undefined;
      else if (name === 'TestRun') emitAll();
    },
  };
}

/** `00:00:01.2345678` in seconds; null if it is none. */
function secondsOf(duration: string | undefined): number | null {
  const durationMatch = /^(?:(\d+)\.)?(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(duration ?? '');
  if (!durationMatch) return null;
  const [, days = '0', hours, minutes, seconds] = durationMatch;
  return (
    Math.round(((Number(days) * 24 + Number(hours)) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000) / 1000
  );
}

/** The parameters that a result's name adds to that of its test: `Adds (1,2)`, or `Adds(a: 1)`. */
function parametersIn(name: string, ownName: string): string | null {
  const plainName = ownName.replace(/\(.*$/s, '');
  const nameIndex = name.indexOf(plainName);
  const rest = nameIndex < 0 ? '' : name.slice(nameIndex + plainName.length).trim();
  return /^\((.*)\)$/s.exec(rest)?.[1] ?? null;
}
