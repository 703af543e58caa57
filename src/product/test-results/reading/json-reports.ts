import {
  attemptOf,
  cleanInstant,
  cleanSeconds,
  explicitId,
  splitParameters,
  suiteSeparator,
  testOf,
  UnreadableResults,
  withFiles,
  type FoundFile,
  type FoundStep,
  type MachineResult,
  type ParsedAttempt,
  type AttemptFacts,
  type ParsedTest,
  type SourceFile,
} from './parsed-test';
import { firstOf, lastOf } from '../../../engine/values/lookups';

/** An object of a report. */
export type Json = Readonly<Record<string, unknown>>;

/** Readings of values that may be anything. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const textOrLines = (value: unknown): string | null =>
  Array.isArray(value) ? value.map(String).join('\n') : textOf(value);
export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Whether JSON is a report of this format. */
export const isAllure = (report: unknown): report is Json =>
  isObject(report) &&
  typeof report.status === 'string' &&
  [report.uuid, report.historyId].some((text) => typeof text === 'string') &&
  [report.name, report.fullName].some((text) => typeof text === 'string');
/** A container of Allure: which results the setups and teardowns in it belong to. */
export const isAllureContainer = (report: unknown): report is Json =>
  isObject(report) && Array.isArray(report.children) && typeof report.uuid === 'string';
export const isCtrf = (report: unknown): report is Json =>
  isObject(report) && isObject(report.results) && Array.isArray(report.results.tests);
export const isPlaywright = (report: unknown): report is Json =>
  isObject(report) && Array.isArray(report.suites) && isObject(report.config);
export const isCucumber = (report: unknown): report is Json[] =>
  Array.isArray(report) && report.every((feature) => isObject(feature) && ('uri' in feature || 'keyword' in feature));

/** The text of a list of printed pieces, which are texts or objects with a text or bytes. */
function printedText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return null;
  const texts = value.map((valuePart: unknown) => {
    if (typeof valuePart === 'string') return `${valuePart}\n`;
    if (!isObject(valuePart)) return '';
    return (
      textOf(valuePart.text) ??
      (typeof valuePart.buffer === 'string' ? Buffer.from(valuePart.buffer, 'base64').toString('utf8') : '')
    );
  });
  return texts.join('');
}

/** The streams of a program as one text. */
const joinPrinted = (...values: readonly unknown[]): string =>
  values
    .map((value) => printedText(value) ?? '')
    .filter((text) => text.trim() !== '')
    .join('\n\n');

/** Bytes as text, with or without the beginning of a data URL; undefined if it is none. */
function bytesIn(value: unknown): FoundFile['content'] | undefined {
  const text = textOf(value);
  return text ? { base64: text.replace(/^data:[\w/+.-]*;base64,/, '') } : undefined;
}

const pathIn = (value: unknown): FoundFile['content'] | undefined => {
  const path = textOf(value);
  return path ? { path } : undefined;
};

/** Attachments as CTRF and Playwright write them: each with a path, or its bytes. */
function attachmentsIn(list: unknown): FoundFile[] {
  return listOf(list).flatMap((item) => {
    const content = bytesIn(item.body) ?? pathIn(item.path);
    const name = textOf(item.name) ?? '';
    // Playwright's own, such as the state of a comparison of pictures.
    return content && !name.startsWith('_') ? [{ name, type: textOf(item.contentType), content }] : [];
  });
}

const ctrfResults: ReadonlyMap<string, MachineResult> = new Map([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['pending', 'skipped'],
  ['other', 'broken'],
]);

/** The Common Test Report Format. */
export function readCtrf(report: Json): ParsedTest[] {
  return listOf((report.results as Json).tests).map((test, index) => {
    const name = textOf(test.name);
    if (name === null) throw new UnreadableResults(`results.tests[${index}] has no name.`);
    const suite = Array.isArray(test.suite) ? test.suite.map(String).join(' > ') : textOf(test.suite);
    const tags = Array.isArray(test.tags) ? test.tags.map(String) : [];
    const extra = isObject(test.extra)
      ? Object.entries(test.extra).map(([key, value]) => [key, String(value)] as const)
      : [];
    const parameters =
      isObject(test.parameters) && Object.keys(test.parameters).length > 0 ? JSON.stringify(test.parameters) : null;
    const facts = (item: Json) => ({
      seconds: cleanSeconds(numberOf(item.duration), 1000),
      message: textOf(item.message),
      details: textOf(item.trace),
      output: joinPrinted(item.stdout, item.stderr),
      started_at: cleanInstant(instantOf(item.start)),
    });
    const filesOf = (item: Json): FoundFile[] => {
      const shot = bytesIn(item.screenshot);
      return [
        ...attachmentsIn(item.attachments),
        ...(shot ? [{ name: 'screenshot', type: 'image/png', content: shot }] : []),
      ];
    };
    const attemptIn = (item: Json, defaultResult: MachineResult) =>
      withFiles(
        attemptOf(ctrfResults.get(String(item.status).toLowerCase()) ?? defaultResult, facts(item)),
        filesOf(item),
      );
    const last = attemptIn(test, 'broken');
    const reportedRetries = listOf(test.retryAttempts).map((retry) => attemptIn(retry, 'failed'));
    // Some producers list the last attempt among the retries, others only those before it.
    const earlierAttempts =
      reportedRetries.length > 0 && reportedRetries.length > Number(test.retries ?? 0)
        ? reportedRetries.slice(0, -1)
        : reportedRetries;
    const untold = Math.min(Math.max(0, Number(test.retries ?? 0) - earlierAttempts.length), 100);
    const missingAttempts = Array.from({ length: untold }, () =>
      attemptOf('failed', { message: 'The report does not say more.' }),
    );
    const isFlaky = test.flaky === true && last.result === 'passed' && earlierAttempts.length + untold === 0;
    const failedAttempts = isFlaky
      ? [attemptOf('failed', { message: 'The report calls it flaky.' })]
      : [...earlierAttempts, ...missingAttempts];
    return testOf({
      name,
      suite,
      file: textOf(test.filePath),
      parameters: parameters ?? textOf(test.browser),
      explicit_id: explicitId(extra, ...tags, name),
      attempts: [...failedAttempts, last],
    });
  });
}

/** CTRF has milliseconds; older producers wrote seconds. */
function instantOf(value: unknown): number | string | null {
  const number = numberOf(value);
  if (number === null) return textOf(value);
  return number > 0 && number < 100_000_000_000 ? number * 1000 : number;
}

const playwrightResults: ReadonlyMap<string, MachineResult> = new Map([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['timedOut', 'broken'],
  ['interrupted', 'broken'],
  ['skipped', 'skipped'],
]);

/** Playwright's JSON reporter: every result of a test is an attempt. */
export function readPlaywright(report: Json): ParsedTest[] {
  const parsedTests: ParsedTest[] = [];
  const visit = (suite: Json, ancestors: readonly string[], isFile: boolean) => {
    const titles = isFile ? ancestors : [...ancestors, textOf(suite.title) ?? ''];
    for (const spec of listOf(suite.specs)) {
      for (const test of listOf(spec.tests)) parsedTests.push(playwrightTest(spec, test, titles));
    }
    for (const inner of listOf(suite.suites)) visit(inner, titles, false);
  };
  for (const suite of listOf(report.suites)) visit(suite, [], true);
  const errors = listOf(report.errors);
  // Outside of all tests, such as a file that does not load, or the setup of all.
  if (errors.length > 0) parsedTests.push(testOf({ name: 'Errors outside of tests', attempts: [brokenBy(errors)] }));
  return parsedTests;
}

/** The facts of Playwright's errors, each with its message and its stack. */
function errorFacts(errors: readonly Json[]): Pick<AttemptFacts, 'message' | 'details'> {
  const messages = errors.flatMap((error) => textOf(error.message) ?? textOf(error.value) ?? []);
  const stacks = errors.flatMap((error) => textOf(error.stack) ?? textOf(error.message) ?? textOf(error.value) ?? []);
  return { message: messages.length > 0 ? messages : null, details: stacks.join('\n\n') || null };
}

const brokenBy = (errors: readonly Json[]): ParsedAttempt => attemptOf('broken', errorFacts(errors));

function playwrightTest(spec: Json, test: Json, titles: readonly string[]): ParsedTest {
  const expectsFailure = test.expectedStatus === 'failed';
  const results = listOf(test.results);
  // A skip is expected. Any other test that is skipped did not run: behind a failed hook, or after too many failures.
  const isNotRun =
    results.every(({ status }) => status === 'skipped') &&
    typeof test.expectedStatus === 'string' &&
    test.expectedStatus !== 'skipped';
  const attempts = (isNotRun ? [] : results).map((result): ParsedAttempt => {
    const status = playwrightResults.get(String(result.status)) ?? 'broken';
    const isExpected = expectsFailure && (status === 'failed' || status === 'passed');
    const ownResult = isExpected ? (status === 'failed' ? 'passed' : 'failed') : status;
    const errors = listOf(result.errors);
    const attempt = attemptOf(ownResult, {
      seconds: cleanSeconds(numberOf(result.duration), 1000),
      ...(ownResult !== 'passed' &&
        errorFacts(errors.length > 0 ? errors : isObject(result.error) ? [result.error] : [])),
      output: joinPrinted(result.stdout, result.stderr),
      started_at: cleanInstant(textOf(result.startTime)),
    });
    return withFiles(attempt, attachmentsIn(result.attachments));
  });
  const annotations = listOf(test.annotations).map(
    (annotation) => [String(annotation.type), textOf(annotation.description) ?? ''] as const,
  );
  const tags = Array.isArray(spec.tags) ? spec.tags.map(String) : [];
  return testOf({
    name: textOf(spec.title) ?? '',
    path: titles.filter((title) => title !== '').join(suiteSeparator) || null,
    file: textOf(spec.file),
    parameters: textOf(test.projectName),
    explicit_id: explicitId(annotations, ...tags, textOf(spec.title)),
    attempts: isNotRun || attempts.length > 0 ? attempts : [attemptOf('skipped')],
  });
}

/** Cucumber's JSON, also as behave writes it: a later scenario with the same id and line is an attempt of the same test. */
export function readCucumber(report: readonly Json[]): ParsedTest[] {
  const tests = new Map<string, ParsedTest>();
  for (const feature of report) {
    let background: Json[] = [];
    for (const element of listOf(feature.elements)) {
      if (element.type === 'background' || element.keyword === 'Background') {
        background = listOf(element.steps);
        continue;
      }
      const key = JSON.stringify([feature.uri, element.id, element.line ?? element.location, element.name]);
      const previousTest = tests.get(key);
      const attempt = cucumberAttempt(element, background);
      background = [];
      const tags = Array.isArray(element.tags)
        ? element.tags.map((tag: unknown) => textOf(isObject(tag) ? tag.name : tag))
        : [];
      const example = /;;(\d+)$/.exec(textOf(element.id) ?? '')?.[1];
      tests.set(
        key,
        testOf({
          name: textOf(element.name) ?? '',
          suite: textOf(feature.name),
          file: textOf(feature.uri)?.replace(/^file:/, '') ?? textOf(feature.location)?.replace(/:\d+$/, '') ?? null,
          parameters: example === undefined ? null : `Example ${Number(example) - 1}`,
          explicit_id: explicitId([], ...tags, textOf(element.name)),
          attempts: [...(previousTest?.attempts ?? []), attempt],
        }),
      );
    }
  }
  return [...tests.values()];
}

function cucumberAttempt(element: Json, background: readonly Json[]): ParsedAttempt {
  const steps = [...background, ...listOf(element.steps)];
  const hooks = [
    ...listOf(element.before),
    ...listOf(element.after),
    ...steps.flatMap((step) => [...listOf(step.before), ...listOf(step.after)]),
  ];
  const resultIn = (stepValue: Json): Json => (isObject(stepValue.result) ? stepValue.result : {});
  const statusOf = (stepValue: Json) => String(resultIn(stepValue).status ?? 'undefined').toLowerCase();
  const failed = steps.find((step) => statusOf(step) === 'failed');
  const brokenStep =
    hooks.find((hook) => statusOf(hook) === 'failed') ??
    steps.find((step) => ['undefined', 'ambiguous'].includes(statusOf(step)));
  const isSkipped = steps.length === 0 || steps.some((step) => ['skipped', 'pending'].includes(statusOf(step)));
  const problemStep = failed ?? brokenStep;
  const total = [...steps, ...hooks].reduce((sum, stepValue) => sum + (Number(resultIn(stepValue).duration) || 0), 0);
  // Cucumber counts in nanoseconds; behave, which says where an element is as file and line, in seconds.
  const unit = textOf(element.location) === null ? 1_000_000_000 : 1;
  const stepName = problemStep ? textOf(problemStep.name) : null;
  const step =
    problemStep && stepName !== null ? `${textOf(problemStep.keyword)?.trim() ?? ''} ${stepName}`.trim() : '';
  const error = problemStep ? textOrLines(resultIn(problemStep).error_message) : null;
  const namedSteps = steps.map((stepValue, position): FoundStep => {
    const status = statusOf(stepValue);
    const name = `${textOf(stepValue.keyword)?.trim() ?? ''} ${textOf(stepValue.name) ?? ''}`.trim();
    return { index: position + 1, name, result: status === 'passed' || status === 'failed' ? status : 'skipped' };
  });
  const files = [
    ...[...listOf(element.before), ...listOf(element.after)].flatMap((hook) => embeddingsIn(hook)),
    ...steps.flatMap((stepValue, position) =>
      [stepValue, ...listOf(stepValue.before), ...listOf(stepValue.after)].flatMap((part) =>
        embeddingsIn(part, position + 1),
      ),
    ),
  ];
  const attempt = attemptOf(failed ? 'failed' : brokenStep ? 'broken' : isSkipped ? 'skipped' : 'passed', {
    seconds: cleanSeconds(total, unit),
    message: error ?? (problemStep ? `${step}: ${statusOf(problemStep)}` : null),
    details: error === null ? null : `${step}\n${error}`,
    output: [...steps, ...hooks].map((stepValue) => printedText(stepValue.output) ?? '').join(''),
    started_at: cleanInstant(textOf(element.start_timestamp)),
  });
  return withFiles(attempt, files, namedSteps);
}

/** The files of a step or hook, whose bytes are in the report. */
function embeddingsIn(part: Json, step?: number): FoundFile[] {
  return listOf(part.embeddings).flatMap((embedding) => {
    const content = bytesIn(embedding.data);
    const type = textOf(embedding.mime_type) ?? (isObject(embedding.media) ? textOf(embedding.media.type) : null);
    return content ? [{ name: textOf(embedding.name) ?? '', type, content, ...(step !== undefined && { step }) }] : [];
  });
}

const allureResults: ReadonlyMap<string, MachineResult> = new Map([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['broken', 'broken'],
  ['skipped', 'skipped'],
]);

/** Finds a file beside the results by its name. */
export type FindSource = (name: string) => SourceFile | undefined;

/** The lists of a container, and what one of each is. */
const fixtures = [
  ['befores', 'Setup'],
  ['afters', 'Teardown'],
] as const;

/**
 * The setups and teardowns of a container of Allure that failed, as broken tests beside those of its results: without
 * them a run whose cleanup failed would be green. An error that a result of the container has itself is not told twice.
 */
export function readAllureContainer(container: Json, results: ReadonlyMap<string, Json>): ParsedTest[] {
  const children = Array.isArray(container.children) ? container.children.map(String) : [];
  const childResults = children.map((child) => results.get(child)).filter((result) => result !== undefined);
  const suites = new Set(childResults.map(suiteOfAllure));
  const suite = suites.size === 1 ? firstOf([...suites]) : textOf(container.name);
  // A fixture of one test is told from that of the next one.
  const [singleChild] = childResults.length === 1 ? childResults : [];
  return fixtures.flatMap(([list, kind]) =>
    listOf(container[list]).flatMap((fixture): ParsedTest[] => {
      const status = textOf(fixture.status)?.toLowerCase();
      if (status !== 'failed' && status !== 'broken') return [];
      const details = detailsOfAllure(fixture);
      const message = textOf(details.message)?.trim() ?? '';
      const isTold = childResults.some(
        (result) =>
          ['failed', 'broken'].includes(String(result.status).toLowerCase()) &&
          (message === '' || (textOf(detailsOfAllure(result).message) ?? '').includes(message)),
      );
      if (isTold) return [];
      const name = [kind, textOf(fixture.name) ?? textOf(container.name)].filter(Boolean).join(' ');
      const start = numberOf(fixture.start) ?? 0;
      return [
        testOf({
          name: singleChild ? `${name} of ${textOf(singleChild.name) ?? textOf(singleChild.fullName) ?? ''}` : name,
          suite,
          file: singleChild ? textOf(singleChild.fullName) : null,
          attempts: [
            attemptOf('broken', {
              seconds: start > 0 ? cleanSeconds(Math.max(0, (numberOf(fixture.stop) ?? start) - start), 1000) : null,
              message: message || `${name} failed.`,
              details: textOf(details.trace),
              started_at: start > 0 ? cleanInstant(start) : null,
            }),
          ],
        }),
      ];
    }),
  );
}

/** The results of Allure among some reports by their uuid, as containers name them. */
export const allureResultsIn = (reports: readonly unknown[]): ReadonlyMap<string, Json> =>
  new Map(
    reports
      .filter((report) => isObject(report) && !isAllureContainer(report))
      .map((report) => [String((report as Json).uuid), report as Json]),
  );

const detailsOfAllure = ({ statusDetails }: Json): Json => (isObject(statusDetails) ? statusDetails : {});
const labelsOfAllure = (result: Json) =>
  new Map(listOf(result.labels).map(({ name, value }) => [String(name), String(value)]));

function suiteOfAllure(result: Json): string | null {
  const labels = labelsOfAllure(result);
  return labels.get('testClass') ?? labels.get('suite') ?? labels.get('package') ?? null;
}

/**
 * Allure's results, one file for each execution, and its containers, with what finds the files beside them if they are in an archive.
 * A later result of the same history id is an attempt of the same test.
 */
export function readAllure(reports: readonly unknown[], findSource?: FindSource): ParsedTest[] {
  const results = reports.filter((report) => !isAllureContainer(report));
  const containers = reports.filter(isAllureContainer);
  const tests = new Map<string, { test: ParsedTest; start: number }[]>();
  for (const result of results.filter(isObject)) {
    const start = numberOf(result.start) ?? 0;
    const test = allureTest(result, start, findSource);
    const key = allureKey(result) ?? JSON.stringify([test.suite, test.name, tests.size]);
    tests.set(key, [...(tests.get(key) ?? []), { test, start }]);
  }
  const executed = [...tests.values()].map((executions) => {
    const inOrder = executions.toSorted((left, right) => left.start - right.start).map(({ test }) => test);
    // A mark of the last one says of the others what they say themselves.
    const attempts = inOrder.flatMap((execution) =>
      inOrder.length > 1 ? execution.attempts.slice(-1) : execution.attempts,
    );
    return { ...lastOf(inOrder), attempts };
  });
  const byUuid = allureResultsIn(results);
  return [...executed, ...containers.flatMap((container) => readAllureContainer(container, byUuid))];
}

/** The key that executions of one test share; undefined if the result has none. */
export const allureKey = (result: unknown): string | undefined =>
  isObject(result) ? (textOf(result.historyId) ?? textOf(result.uuid) ?? undefined) : undefined;

function allureTest(result: Json, start: number, findSource: FindSource | undefined): ParsedTest {
  const labels = labelsOfAllure(result);
  const details = detailsOfAllure(result);
  const stop = numberOf(result.stop) ?? start;
  const nameParts = splitParameters(textOf(result.name) ?? textOf(result.fullName) ?? '');
  const parameters = listOf(result.parameters)
    .filter(({ excluded, mode }) => excluded !== true && mode !== 'hidden' && mode !== 'masked')
    .map(({ name, value }) => `${String(name)}=${String(value)}`)
    .join(', ');
  const status = textOf(result.status)?.toLowerCase();
  const isFlaky = status === 'passed' && details.flaky === true;
  return testOf({
    name: nameParts.name,
    suite: suiteOfAllure(result),
    file: textOf(result.fullName),
    parameters: parameters || nameParts.parameters,
    explicit_id: explicitId(labels, ...listOf(result.links).map(({ name }) => textOf(name)), textOf(result.name)),
    attempts: [
      ...(isFlaky ? [attemptOf('failed', { message: 'The report calls it flaky.' })] : []),
      withFiles(
        attemptOf(allureResults.get(status ?? '') ?? 'broken', {
          seconds: start > 0 ? cleanSeconds(Math.max(0, stop - start), 1000) : null,
          message: status === 'passed' ? null : textOf(details.message),
          details: status === 'passed' ? null : textOf(details.trace),
          started_at: start > 0 ? cleanInstant(start) : null,
        }),
        allureFiles(result, findSource),
        listOf(result.steps).map((step, position) => ({
          index: position + 1,
          name: textOf(step.name) ?? '',
          result: stepResults.get(String(step.status).toLowerCase()) ?? 'skipped',
        })),
      ),
    ],
  });
}

const stepResults: ReadonlyMap<string, FoundStep['result']> = new Map([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['broken', 'failed'],
]);

/** The files of a test and of its steps; those of steps within a step belong to the outer one. */
function allureFiles(result: Json, findSource: FindSource | undefined): FoundFile[] {
  const ownFiles = (part: Json, step?: number): FoundFile[] =>
    listOf(part.attachments).flatMap(({ name, type, source }) => {
      const file = textOf(source);
      if (!file) return [];
      const content = findSource ? { find: () => findSource(file) } : { path: file };
      return [{ name: textOf(name) ?? file, type: textOf(type), content, ...(step !== undefined && { step }) }];
    });
  const nestedFiles = (part: Json, step: number, depth = 0): FoundFile[] =>
    depth > maxStepDepth
      ? []
      : [...ownFiles(part, step), ...listOf(part.steps).flatMap((inner) => nestedFiles(inner, step, depth + 1))];
  return [...ownFiles(result), ...listOf(result.steps).flatMap((step, position) => nestedFiles(step, position + 1))];
}

/** Steps are not nested deeper by any producer. */
const maxStepDepth = 50;
