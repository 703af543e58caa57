import { isObject, listOf, numberOf, textOf, type Json } from './json-reports';
import {
  attemptOf,
  cleanInstant,
  cleanSeconds,
  explicitId,
  splitParameters,
  suiteSeparator,
  testOf,
  withFiles,
  type FoundFile,
  type MachineResult,
  type ParsedAttempt,
  type ParsedTest,
} from './parsed-test';
import { getOrThrow, lastOf } from '../../../engine/values/lookups';

/** Whether JSON is a report of this format. */
export const isJest = (report: unknown): report is Json =>
  isObject(report) && Array.isArray(report.testResults) && typeof report.numTotalTests === 'number';
export const isMocha = (report: unknown): report is Json =>
  isObject(report) && isObject(report.stats) && Array.isArray(report.tests) && Array.isArray(report.failures);
export const isXray = (report: unknown): report is Json =>
  isObject(report) &&
  Array.isArray(report.tests) &&
  report.tests.length > 0 &&
  report.tests.every((test) => isObject(test) && ('testKey' in test || 'testInfo' in test));

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
const pathOf = (titles: readonly string[]) =>
  titles
    .map((title) => title.trim())
    .filter(Boolean)
    .join(suiteSeparator) || null;

/** Earlier failures of a test whose report only counts them; no producer repeats a test more often. */
const untoldFailures = (count: unknown): ParsedAttempt[] =>
  Array.from({ length: Math.min(Math.max(0, Number(count) || 0), 100) }, () =>
    attemptOf('failed', { message: 'The report does not say more.' }),
  );

const jestResults: ReadonlyMap<string, MachineResult> = new Map([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['pending', 'skipped'],
  ['skipped', 'skipped'],
  ['todo', 'skipped'],
  ['disabled', 'skipped'],
]);

/** The JSON of Jest and Vitest. A file that fails without a test that does is broken. */
export function readJest(report: Json): ParsedTest[] {
  return listOf(report.testResults).flatMap((suite) => {
    const file = textOf(suite.name) ?? textOf(suite.testFilePath);
    const startedAt = cleanInstant(numberOf(suite.startTime));
    const assertions = [...listOf(suite.assertionResults), ...listOf(suite.testResults)];
    const tests = assertions.map((assertion) => {
      const messages = textsIn(assertion.failureMessages);
      const { name, parameters } = splitParameters(textOf(assertion.title) ?? textOf(assertion.fullName) ?? '');
      const last = attemptOf(jestResults.get(String(assertion.status).toLowerCase()) ?? 'broken', {
        seconds: cleanSeconds(numberOf(assertion.duration), 1000),
        message: messages,
        details: messages.join('\n\n'),
        started_at: cleanInstant(numberOf(assertion.startAt)) ?? startedAt,
      });
      const retries = textsIn(assertion.retryReasons);
      const retryReasons = retries.length > 0 ? retries : [];
      const untold = untoldFailures((numberOf(assertion.invocations) ?? 1) - 1 - retryReasons.length);
      return testOf({
        name,
        parameters,
        path: pathOf(textsIn(assertion.ancestorTitles)),
        file,
        explicit_id: explicitId([], textOf(assertion.fullName)),
        attempts: [
          ...retryReasons.map((reason) => attemptOf('failed', { message: reason, details: reason })),
          ...untold,
          last,
        ],
      });
    });
    const hasFailed = tests.some(({ attempts }) => ['failed', 'broken'].includes(lastOf(attempts).result));
    const error = isObject(suite.testExecError) ? textOf(suite.testExecError.message) : null;
    const text = textOf(suite.message) ?? '';
    // Jest repeats the failures of tests in the message of their file, each behind a bullet; Vitest says its own there.
    const isOfTests = text.trim() === '' || text.includes('●');
    if (error === null && (suite.status !== 'failed' || (hasFailed && isOfTests))) return tests;
    const message = (hasFailed && isOfTests ? error : text || error) || 'The file failed outside of its tests.';
    return [...tests, testOf({ name: 'Errors outside of tests', file, attempts: [attemptOf('broken', { message })] })];
  });
}

/** Mocha's JSON. A failure in a hook is in the failures, and not in the tests. */
export function readMocha(report: Json): ParsedTest[] {
  const keyOf = (report: Json) => JSON.stringify([report.file, report.fullTitle]);
  const pending = new Set(listOf(report.pending).map(keyOf));
  const knownTests = new Set<string>();
  const read = (report: Json, result: MachineResult) => {
    const error = isObject(report.err) ? report.err : {};
    const title = textOf(report.title) ?? '';
    const full = textOf(report.fullTitle) ?? title;
    const { name, parameters } = splitParameters(title);
    return testOf({
      name,
      parameters,
      path: (full.endsWith(title) ? full.slice(0, full.length - title.length).trim() : '') || null,
      file: textOf(report.file),
      explicit_id: explicitId([], full),
      attempts: [
        ...untoldFailures(report.currentRetry),
        attemptOf(result, {
          seconds: cleanSeconds(numberOf(report.duration), 1000),
          message: textOf(error.message),
          details: textOf(error.stack),
        }),
      ],
    });
  };
  const tests = listOf(report.tests).map((report) => {
    knownTests.add(keyOf(report));
    const hasError = isObject(report.err) && Object.keys(report.err).length > 0;
    return read(report, hasError ? 'failed' : pending.has(keyOf(report)) ? 'skipped' : 'passed');
  });
  const otherFailures = listOf(report.failures).filter((report) => !knownTests.has(keyOf(report)));
  return [...tests, ...otherFailures.map((report) => read(report, 'broken'))];
}

const xrayResults: ReadonlyMap<string, MachineResult | undefined> = new Map([
  ['pass', 'passed'],
  ['passed', 'passed'],
  ['fail', 'failed'],
  ['failed', 'failed'],
  ['todo', undefined],
  ['executing', undefined],
  ['aborted', 'broken'],
]);

/** Xray's JSON, of the server and of the cloud. A test that is still to do did not run. */
export function readXray(report: Json): ParsedTest[] {
  return listOf(report.tests).map((test) => {
    const info = isObject(test.testInfo) ? test.testInfo : {};
    const status = String(test.status).toLowerCase();
    const result = xrayResults.has(status) ? xrayResults.get(status) : 'broken';
    const [start, finish] = [cleanInstant(textOf(test.start)), cleanInstant(textOf(test.finish))];
    const steps = listOf(test.steps).filter((step) => /fail/i.test(String(step.status)));
    const stepTexts = steps.flatMap((step) => textOf(step.actualResult) ?? textOf(step.comment) ?? []);
    const comment = textOf(test.comment);
    const files = [...listOf(test.evidence), ...listOf(test.evidences)].flatMap((evidence): FoundFile[] => {
      const base64 = textOf(evidence.data);
      return base64
        ? [{ name: textOf(evidence.filename) ?? '', type: textOf(evidence.contentType), content: { base64 } }]
        : [];
    });
    const attempt =
      result &&
      attemptOf(result, {
        seconds: start && finish ? cleanSeconds(Date.parse(finish) - Date.parse(start), 1000) : null,
        message: result === 'passed' ? null : [...(comment === null ? [] : [comment]), ...stepTexts],
        started_at: start,
      });
    return testOf({
      name: textOf(info.summary) ?? textOf(test.testKey) ?? '',
      explicit_id: textOf(test.testKey),
      attempts: attempt ? [withFiles(attempt, files)] : [],
    });
  });
}

/** Reads events, one of each line; call `end` behind the last one. */
export interface EventReader {
  event(event: Json): void;
  end(): void;
}

/** How much of what a test prints is kept while it runs, in characters. */
const maxPrinted = 40_000;
const addPrinted = (previousText: string, text: string) => (previousText + text).slice(-maxPrinted);

interface GoTest {
  readonly package: string;
  readonly name: string;
  printed: string;
  readonly startedAt: string | null;
  hasFailedChild: boolean;
  hasChild: boolean;
}

const goResults: ReadonlyMap<string, MachineResult> = new Map([
  ['pass', 'passed'],
  ['bench', 'passed'],
  ['fail', 'failed'],
  ['skip', 'skipped'],
]);

/**
 * The events of `go test -json`. A test with subtests counts only if it fails without them; a package that fails without
 * a failed test, such as one that is not built, and a test that never ends, are broken.
 */
export function goReader(emit: (test: ParsedTest) => void): EventReader {
  const runningTests = new Map<string, GoTest>();
  const packages = new Map<string, { printed: string; hasFailed: boolean }>();
  const packageOf = (name: string) => {
    const packageState = packages.get(name) ?? { printed: '', hasFailed: false };
    packages.set(name, packageState);
    return packageState;
  };
  const finish = (test: GoTest, result: MachineResult, seconds: unknown, message?: string) => {
    if (result === 'failed' || result === 'broken') packageOf(test.package).hasFailed = true;
    const printed = test.printed
      .split('\n')
      .filter((line) => !/^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:PASS|FAIL|SKIP))\b/.test(line))
      .join('\n')
      .trim();
    const failureText = result === 'passed' ? {} : { message: message ?? printed, details: printed };
    const attempt = attemptOf(result, {
      seconds: cleanSeconds(numberOf(seconds)),
      ...failureText,
      started_at: test.startedAt,
    });
    emit(testOf({ name: test.name, suite: test.package, explicit_id: explicitId([], test.name), attempts: [attempt] }));
  };
  const emitBroken = (name: string, printed: string) =>
    emit(
      testOf({
        name: 'Errors outside of tests',
        suite: name,
        attempts: [attemptOf('broken', { message: printed || 'The package failed.', details: printed })],
      }),
    );
  return {
    event(event) {
      const action = textOf(event.Action) ?? '';
      const [packageName, name] = [textOf(event.Package) ?? textOf(event.ImportPath) ?? '', textOf(event.Test)];
      if (name === null) {
        const ownPackage = packageOf(packageName);
        if (action === 'output' || action === 'build-output')
          ownPackage.printed = addPrinted(ownPackage.printed, textOf(event.Output) ?? '');
        else if (action === 'fail') {
          for (const [key, test] of runningTests)
            if (test.package === packageName) {
              runningTests.delete(key);
              finish(test, 'broken', null, 'The test did not end.');
            }
          if (!ownPackage.hasFailed) emitBroken(packageName, ownPackage.printed.trim());
          ownPackage.hasFailed = true;
        }
        return;
      }
      const key = JSON.stringify([packageName, name]);
      const runningTest = runningTests.get(key);
      if (action === 'run') {
        const startedAt = cleanInstant(textOf(event.Time));
        runningTests.set(key, {
          package: packageName,
          name,
          printed: '',
          startedAt,
          hasFailedChild: false,
          hasChild: false,
        });
        const parent = runningTests.get(JSON.stringify([packageName, name.slice(0, name.lastIndexOf('/'))]));
        if (parent) parent.hasChild = true;
      } else if (action === 'output' && runningTest)
        runningTest.printed = addPrinted(runningTest.printed, textOf(event.Output) ?? '');
      else if (goResults.has(action)) {
        const result = getOrThrow(goResults, action);
        const test = runningTest ?? {
          package: packageName,
          name,
          printed: '',
          startedAt: null,
          hasFailedChild: false,
          hasChild: false,
        };
        runningTests.delete(key);
        const parent = runningTests.get(JSON.stringify([packageName, name.slice(0, name.lastIndexOf('/'))]));
        if (parent && result === 'failed') parent.hasFailedChild = true;
        if (!test.hasChild || (result === 'failed' && !test.hasFailedChild)) finish(test, result, event.Elapsed);
      }
    },
    end() {
      for (const test of runningTests.values()) finish(test, 'broken', null, 'The test did not end.');
    },
  };
}

interface DartTest {
  readonly name: string;
  readonly group: string;
  readonly file: string | null;
  readonly platform: string | null;
  readonly startedAt: number;
  readonly skipReason: string | null;
  printed: string;
  readonly errors: { message: string; stack: string; isFailure: boolean }[];
}

/** The events of `dart test --reporter json` and `flutter test --machine`. Tests that load files count if they fail. */
export function dartReader(emit: (test: ParsedTest) => void): EventReader {
  const suites = new Map<unknown, Json>();
  const groups = new Map<unknown, Json>();
  const runningTests = new Map<unknown, DartTest>();
  const finish = (test: DartTest, result: MachineResult, time: number | null) => {
    const { name, group, errors } = test;
    emit(
      testOf({
        name: group !== '' && name.startsWith(`${group} `) ? name.slice(group.length + 1) : name,
        path: group,
        file: test.file,
        parameters: test.platform,
        explicit_id: explicitId([], name),
        attempts: [
          attemptOf(result, {
            seconds: time === null ? null : cleanSeconds(Math.max(0, time - test.startedAt), 1000),
            message: result === 'skipped' ? test.skipReason : errors.map(({ message }) => message),
            details: errors.map(({ message, stack }) => `${message}\n${stack}`).join('\n\n'),
            output: test.printed,
          }),
        ],
      }),
    );
  };
  return {
    event(event) {
      const test = runningTests.get(event.testID);
      if (event.type === 'suite' && isObject(event.suite)) suites.set(event.suite.id, event.suite);
      else if (event.type === 'group' && isObject(event.group)) groups.set(event.group.id, event.group);
      else if (event.type === 'testStart' && isObject(event.test)) {
        const { id, name, suiteID, groupIDs, metadata } = event.test;
        const suite = suites.get(suiteID);
        const platform = textOf(suite?.platform);
        runningTests.set(id, {
          name: textOf(name) ?? '',
          group:
            (Array.isArray(groupIDs) ? groupIDs : [])
              .map((groupId) => textOf(groups.get(groupId)?.name) ?? '')
              .at(-1) ?? '',
          file: textOf(suite?.path),
          platform: platform === 'vm' ? null : platform,
          startedAt: numberOf(event.time) ?? 0,
          skipReason: isObject(metadata) ? textOf(metadata.skipReason) : null,
          printed: '',
          errors: [],
        });
      } else if (event.type === 'print' && test)
        test.printed = addPrinted(test.printed, `${textOf(event.message) ?? ''}\n`);
      else if (event.type === 'error' && test)
        test.errors.push({
          message: textOf(event.error) ?? '',
          stack: textOf(event.stackTrace) ?? '',
          isFailure: event.isFailure === true,
        });
      else if (event.type === 'testDone' && test) {
        runningTests.delete(event.testID);
        const result =
          event.result === 'success'
            ? event.skipped === true
              ? 'skipped'
              : 'passed'
            : event.result === 'failure'
              ? 'failed'
              : 'broken';
        if (event.hidden !== true || (result !== 'passed' && result !== 'skipped'))
          finish(test, result, numberOf(event.time));
      }
    },
    end() {
      for (const test of runningTests.values()) {
        test.errors.push({ message: 'The test did not end.', stack: '', isFailure: false });
        finish(test, 'broken', null);
      }
    },
  };
}
