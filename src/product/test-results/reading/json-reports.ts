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
  [report.uuid, report.historyId].some((one) => typeof one === 'string') &&
  [report.name, report.fullName].some((one) => typeof one === 'string');
/** A container of Allure: which results the setups and teardowns in it belong to. */
export const isAllureContainer = (report: unknown): report is Json =>
  isObject(report) && Array.isArray(report.children) && typeof report.uuid === 'string';
export const isCtrf = (report: unknown): report is Json =>
  isObject(report) && isObject(report.results) && Array.isArray(report.results.tests);
export const isPlaywright = (report: unknown): report is Json =>
  isObject(report) && Array.isArray(report.suites) && isObject(report.config);
export const isCucumber = (report: unknown): report is Json[] =>
  Array.isArray(report) && report.every((one) => isObject(one) && ('uri' in one || 'keyword' in one));

/** What a list of printed pieces says, as texts or as objects with a text or bytes. */
function printedText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return null;
  const texts = value.map((one: unknown) => {
    if (typeof one === 'string') return `${one}\n`;
    if (!isObject(one)) return '';
    return (
      textOf(one.text) ?? (typeof one.buffer === 'string' ? Buffer.from(one.buffer, 'base64').toString('utf8') : '')
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
  return listOf(list).flatMap((one) => {
    const content = bytesIn(one.body) ?? pathIn(one.path);
    const name = textOf(one.name) ?? '';
    // Playwright's own, such as the state of a comparison of pictures.
    return content && !name.startsWith('_') ? [{ name, type: textOf(one.contentType), content }] : [];
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
    const facts = (one: Json) => ({
      seconds: cleanSeconds(numberOf(one.duration), 1000),
      message: textOf(one.message),
      details: textOf(one.trace),
      output: joinPrinted(one.stdout, one.stderr),
      started_at: cleanInstant(instantOf(one.start)),
    });
    const filesOf = (one: Json): FoundFile[] => {
      const shot = bytesIn(one.screenshot);
      return [
        ...attachmentsIn(one.attachments),
        ...(shot ? [{ name: 'screenshot', type: 'image/png', content: shot }] : []),
      ];
    };
    const attemptIn = (one: Json, otherwise: MachineResult) =>
      withFiles(attemptOf(ctrfResults.get(String(one.status).toLowerCase()) ?? otherwise, facts(one)), filesOf(one));
    const last = attemptIn(test, 'broken');
    const told = listOf(test.retryAttempts).map((one) => attemptIn(one, 'failed'));
    // Some producers list the last attempt among the retries, others only those before it.
    const earlier = told.length > 0 && told.length > Number(test.retries ?? 0) ? told.slice(0, -1) : told;
    const untold = Math.min(Math.max(0, Number(test.retries ?? 0) - earlier.length), 100);
    const missing = Array.from({ length: untold }, () =>
      attemptOf('failed', { message: 'The report does not say more.' }),
    );
    const isFlaky = test.flaky === true && last.result === 'passed' && earlier.length + untold === 0;
    const before = isFlaky
      ? [attemptOf('failed', { message: 'The report calls it flaky.' })]
      : [...earlier, ...missing];
    return testOf({
      name,
      suite,
      file: textOf(test.filePath),
      parameters: parameters ?? textOf(test.browser),
      explicit_id: explicitId(extra, ...tags, name),
      attempts: [...before, last],
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
  const found: ParsedTest[] = [];
  const visit = (suite: Json, above: readonly string[], isFile: boolean) => {
    const titles = isFile ? above : [...above, textOf(suite.title) ?? ''];
    for (const spec of listOf(suite.specs)) {
      for (const test of listOf(spec.tests)) found.push(playwrightTest(spec, test, titles));
    }
    for (const inner of listOf(suite.suites)) visit(inner, titles, false);
  };
  for (const suite of listOf(report.suites)) visit(suite, [], true);
  const errors = listOf(report.errors);
  // Outside of all tests, such as a file that does not load, or the setup of all.
  if (errors.length > 0) found.push(testOf({ name: 'Errors outside of tests', attempts: [brokenBy(errors)] }));
  return found;
}

/** What Playwright says of errors: each with its message and its stack. */
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
    const own = isExpected ? (status === 'failed' ? 'passed' : 'failed') : status;
    const errors = listOf(result.errors);
    const attempt = attemptOf(own, {
      seconds: cleanSeconds(numberOf(result.duration), 1000),
      ...(own !== 'passed' && errorFacts(errors.length > 0 ? errors : isObject(result.error) ? [result.error] : [])),
      output: joinPrinted(result.stdout, result.stderr),
      started_at: cleanInstant(textOf(result.startTime)),
    });
    return withFiles(attempt, attachmentsIn(result.attachments));
  });
  const annotations = listOf(test.annotations).map((one) => [String(one.type), textOf(one.description) ?? ''] as const);
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
      const before = tests.get(key);
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
          attempts: [...(before?.attempts ?? []), attempt],
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
  const resultIn = (one: Json): Json => (isObject(one.result) ? one.result : {});
  const statusOf = (one: Json) => String(resultIn(one).status ?? 'undefined').toLowerCase();
  const failed = steps.find((step) => statusOf(step) === 'failed');
  const broken =
    hooks.find((hook) => statusOf(hook) === 'failed') ??
    steps.find((step) => ['undefined', 'ambiguous'].includes(statusOf(step)));
  const skipped = steps.length === 0 || steps.some((step) => ['skipped', 'pending'].includes(statusOf(step)));
  const wrong = failed ?? broken;
  const total = [...steps, ...hooks].reduce((sum, one) => sum + (Number(resultIn(one).duration) || 0), 0);
  // Cucumber counts in nanoseconds; behave, which says where an element is as file and line, in seconds.
  const unit = textOf(element.location) === null ? 1_000_000_000 : 1;
  const step =
    wrong && textOf(wrong.name) !== null ? `${textOf(wrong.keyword)?.trim() ?? ''} ${textOf(wrong.name)!}`.trim() : '';
  const error = wrong ? textOrLines(resultIn(wrong).error_message) : null;
  const named = steps.map((one, place): FoundStep => {
    const status = statusOf(one);
    const name = `${textOf(one.keyword)?.trim() ?? ''} ${textOf(one.name) ?? ''}`.trim();
    return { index: place + 1, name, result: status === 'passed' || status === 'failed' ? status : 'skipped' };
  });
  const files = [
    ...[...listOf(element.before), ...listOf(element.after)].flatMap((hook) => embeddingsIn(hook)),
    ...steps.flatMap((one, place) =>
      [one, ...listOf(one.before), ...listOf(one.after)].flatMap((part) => embeddingsIn(part, place + 1)),
    ),
  ];
  const attempt = attemptOf(failed ? 'failed' : broken ? 'broken' : skipped ? 'skipped' : 'passed', {
    seconds: cleanSeconds(total, unit),
    message: error ?? (wrong ? `${step}: ${statusOf(wrong)}` : null),
    details: error === null ? null : `${step}\n${error}`,
    output: [...steps, ...hooks].map((one) => printedText(one.output) ?? '').join(''),
    started_at: cleanInstant(textOf(element.start_timestamp)),
  });
  return withFiles(attempt, files, named);
}

/** The files of a step or hook, whose bytes are in the report. */
function embeddingsIn(part: Json, step?: number): FoundFile[] {
  return listOf(part.embeddings).flatMap((one) => {
    const content = bytesIn(one.data);
    const type = textOf(one.mime_type) ?? (isObject(one.media) ? textOf(one.media.type) : null);
    return content ? [{ name: textOf(one.name) ?? '', type, content, ...(step !== undefined && { step }) }] : [];
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
  const own = children.map((child) => results.get(child)).filter((result) => result !== undefined);
  const suites = new Set(own.map(suiteOfAllure));
  const suite = suites.size === 1 ? [...suites][0]! : textOf(container.name);
  // A fixture of one test is told from that of the next one.
  const [only] = own.length === 1 ? own : [];
  return fixtures.flatMap(([list, kind]) =>
    listOf(container[list]).flatMap((fixture): ParsedTest[] => {
      const status = textOf(fixture.status)?.toLowerCase();
      if (status !== 'failed' && status !== 'broken') return [];
      const details = detailsOfAllure(fixture);
      const message = textOf(details.message)?.trim() ?? '';
      const isTold = own.some(
        (result) =>
          ['failed', 'broken'].includes(String(result.status).toLowerCase()) &&
          (message === '' || (textOf(detailsOfAllure(result).message) ?? '').includes(message)),
      );
      if (isTold) return [];
      const name = [kind, textOf(fixture.name) ?? textOf(container.name)].filter(Boolean).join(' ');
      const start = numberOf(fixture.start) ?? 0;
      return [
        testOf({
          name: only ? `${name} of ${textOf(only.name) ?? textOf(only.fullName) ?? ''}` : name,
          suite,
          file: only ? textOf(only.fullName) : null,
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
  const executed = [...tests.values()].map((all) => {
    const inOrder = all.toSorted((one, other) => one.start - other.start).map(({ test }) => test);
    // A mark of the last one says of the others what they say themselves.
    const attempts = inOrder.flatMap((one) => (inOrder.length > 1 ? one.attempts.slice(-1) : one.attempts));
    return { ...inOrder.at(-1)!, attempts };
  });
  const byUuid = allureResultsIn(results);
  return [...executed, ...containers.flatMap((container) => readAllureContainer(container, byUuid))];
}

/** What executions of one test have in common; undefined if the result does not say. */
export const allureKey = (result: unknown): string | undefined =>
  isObject(result) ? (textOf(result.historyId) ?? textOf(result.uuid) ?? undefined) : undefined;

function allureTest(result: Json, start: number, findSource: FindSource | undefined): ParsedTest {
  const labels = labelsOfAllure(result);
  const details = detailsOfAllure(result);
  const stop = numberOf(result.stop) ?? start;
  const named = splitParameters(textOf(result.name) ?? textOf(result.fullName) ?? '');
  const parameters = listOf(result.parameters)
    .filter(({ excluded, mode }) => excluded !== true && mode !== 'hidden' && mode !== 'masked')
    .map(({ name, value }) => `${String(name)}=${String(value)}`)
    .join(', ');
  const status = textOf(result.status)?.toLowerCase();
  const isFlaky = status === 'passed' && details.flaky === true;
  return testOf({
    name: named.name,
    suite: suiteOfAllure(result),
    file: textOf(result.fullName),
    parameters: parameters || named.parameters,
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
        listOf(result.steps).map((step, place) => ({
          index: place + 1,
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
  const own = (part: Json, step?: number): FoundFile[] =>
    listOf(part.attachments).flatMap(({ name, type, source }) => {
      const file = textOf(source);
      if (!file) return [];
      const content = findSource ? { find: () => findSource(file) } : { path: file };
      return [{ name: textOf(name) ?? file, type: textOf(type), content, ...(step !== undefined && { step }) }];
    });
  const within = (part: Json, step: number, depth = 0): FoundFile[] =>
    depth > maxStepDepth
      ? []
      : [...own(part, step), ...listOf(part.steps).flatMap((inner) => within(inner, step, depth + 1))];
  return [...own(result), ...listOf(result.steps).flatMap((step, place) => within(step, place + 1))];
}

/** Steps are not nested deeper by any producer. */
const maxStepDepth = 50;
