import {
  attemptOf,
  cleanInstant,
  cleanSeconds,
  explicitId,
  testOf,
  withFiles,
  type AttemptFacts,
  type FoundFile,
  type FoundStep,
  type MachineResult,
  type ParsedTest,
} from './parsed-test';
import type { XmlListener } from './xml';
import { firstOf, getOrThrow, itemAt, requireValue } from '../../../engine/values/lookups';

const results: ReadonlyMap<string, MachineResult> = new Map([
  ['PASS', 'passed'],
  ['FAIL', 'failed'],
  ['SKIP', 'skipped'],
  ['NOT RUN', 'skipped'],
]);

/** The steps of a test are the keywords and control structures that are directly in it. */
const stepElements = new Set(['kw', 'for', 'while', 'if', 'try', 'group']);
/** A picture of 25 MB as base64, which libraries write into messages. */
const maxMessage = 35_000_000;

/** How a test ended, as its own status says. */
interface Ending {
  readonly result: MachineResult;
  readonly seconds: number | null;
  readonly message: string;
  readonly started_at: string | null;
}

/** A test that is being read. */
interface OpenTest {
  readonly name: string;
  readonly tags: string[];
  readonly files: FoundFile[];
  readonly steps: FoundStep[];
  /** The name of the step that is being read. */
  step: string;
  /** The output that its keywords logged, without that of deeply nested ones. */
  output: string;
}

/**
 * Robot Framework's output, of versions with `start` and `elapsed` and of those with `starttime` and `endtime`. Libraries
 * log pictures as messages in HTML, beside the output or within it.
 */
export function robotListener(emit: (test: ParsedTest) => void): XmlListener {
  const suites: string[] = [];
  let file: string | null = null;
  let test: OpenTest | undefined;
  let status: Readonly<Record<string, string>> = {};
  let attemptEnd: Ending | undefined;
  let isHtml = false;
  let isTeardown = false;
  return {
    maxText: maxMessage,
    wantsText: (path, { html, level }) =>
      path.at(-1) === 'tag' ||
      (path.at(-1) === 'status' && path.at(-2) === 'test') ||
      // Older versions write `yes`.
      (path.at(-1) === 'msg' &&
        (html === 'true' || html === 'yes' || (test !== undefined && loggedLevels.has(level ?? '')))) ||
      (path.at(-1) === 'status' && isTeardown),
    open(name, attributes, path) {
      if (name === 'suite') {
        suites.push(attributes.name ?? '');
        file = attributes.source ?? file;
      } else if (name === 'test')
        test = { name: attributes.name ?? '', tags: [], files: [], steps: [], step: '', output: '' };
      else if (stepElements.has(name) && path.at(-2) === 'test' && test)
        test.step = attributes.name ?? name.toUpperCase();
      else if (name === 'status' && (path.at(-2) === 'test' || path.at(-3) === 'test' || isTeardown))
        status = attributes;
      else if (name === 'msg') isHtml = attributes.html === 'true' || attributes.html === 'yes';
      else if (name === 'kw' && path.at(-2) === 'suite') isTeardown = attributes.type?.toUpperCase() === 'TEARDOWN';
    },
    close(name, text, path) {
      if (name === 'status' && path.at(-2) === 'kw' && path.at(-3) === 'suite' && isTeardown) {
        // The tests before it are written as they ended: the run would be green.
        if (status.status === 'FAIL')
          emit(
            testOf({
              name: `Teardown of ${suites.at(-1)}`,
              suite: suites.join('.'),
              file,
              attempts: [attemptOf('broken', { message: text || 'The teardown of the suite failed.' })],
            }),
          );
      } else if (name === 'kw' && path.at(-2) === 'suite') isTeardown = false;
      else if (name === 'suite') suites.pop();
      else if (name === 'tag') test?.tags.push(text);
      else if (name === 'msg' && test) {
        if (isHtml) addFiles(test, text);
        else test.output = `${test.output}${text}\n`.slice(-2 * maxLogged);
      } else if (stepElements.has(name) && path.at(-2) === 'test' && test) {
        const result = stepResults.get(status.status ?? '') ?? 'failed';
        test.steps.push({ index: test.steps.length + 1, name: test.step, result });
      } else if (name === 'status' && path.at(-2) === 'test' && test) {
        const began = instantOf(status.start ?? status.starttime);
        const endTime = instantOf(status.endtime);
        const seconds =
          cleanSeconds(status.elapsed) ??
          (began && endTime ? cleanSeconds(Date.parse(endTime) - Date.parse(began), 1000) : null);
        attemptEnd = {
          result: results.get(status.status ?? '') ?? 'broken',
          seconds,
          message: text,
          started_at: began,
        };
      } else if (name === 'test' && test) {
        const { result, ...facts } = attemptEnd ?? noStatus;
        const { output } = test;
        const allAttempts = mergedAttempts(result, facts).map((attemptFacts) =>
          attemptOf(attemptFacts.result, { ...attemptFacts, output }),
        );
        const last = requireValue(allAttempts.pop(), 'the last attempt');
        emit(
          testOf({
            name: test.name,
            suite: suites.join('.'),
            file,
            explicit_id: explicitId([], ...test.tags, test.name),
            attempts: [...allAttempts, withFiles(last, test.files, test.steps)],
          }),
        );
        [test, attemptEnd] = [undefined, undefined];
      }
    },
  };
}

const stepResults: ReadonlyMap<string, FoundStep['result']> = new Map([
  ['PASS', 'passed'],
  ['FAIL', 'failed'],
  ['SKIP', 'skipped'],
  ['NOT RUN', 'skipped'],
]);

const noStatus: Ending = { result: 'broken', seconds: null, message: 'The test has no status.', started_at: null };

/** Levels of messages that are kept as what a test printed. */
const loggedLevels: ReadonlySet<string> = new Set(['INFO', 'WARN', 'ERROR', 'FAIL']);
/** In characters. */
const maxLogged = 20_000;

/**
 * The executions of a test, the last one last. Where rebot merged those of several runs, the message of the test has
 * them as HTML, the newest first.
 */
function mergedAttempts(
  result: MachineResult,
  { message, ...facts }: Omit<Ending, 'result'>,
): (AttemptFacts & { result: MachineResult })[] {
  const [head = '', ...parts] = message.split(/<hr\s*\/?>/i);
  const executions = /class=["']merge["']/i.test(head)
    ? parts.flatMap((part) => {
        const status = /<span class=["'](pass|fail|skip)["']>/i.exec(part)?.[1];
        if (status === undefined) return [];
        const messageText = /<span class=["'](?:new|old)-message["']>[^<]*<\/span>([\s\S]*)/i.exec(part)?.[1] ?? '';
        return [{ result: getOrThrow(results, status.toUpperCase()), message: htmlText(messageText) }];
      })
    : [];
  const [last = { result, message }, ...earlierExecutions] = executions;
  const describeExecution = (execution: { result: MachineResult; message: string }) =>
    execution.result === 'passed' ? { ...execution, message: null } : execution;
  return [
    ...earlierExecutions.toReversed().map(describeExecution),
    { ...facts, ...describeExecution({ ...last, result }) },
  ];
}

/** The text of simple HTML. */
const htmlText = (html: string): string =>
  html
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim();

/** Adds the files that a message in HTML shows or links to; the same one once. Addresses on the web are none. */
function addFiles({ files, steps }: OpenTest, html: string): void {
  const step = steps.length + 1;
  for (const [, , address = ''] of html.matchAll(/<(?:img|a|video|source)\b[^>]*?\s(?:src|href)=(["'])(.*?)\1/gis)) {
    const embedded = /^data:([\w.+/-]+)[^,]*;base64,/.exec(address.slice(0, 200));
    if (embedded) {
      files.push({
        name: 'screenshot',
        type: itemAt(embedded, 1),
        content: { base64: address.slice(embedded[0].length) },
        step,
      });
      continue;
    }
    const path = pathOf(address);
    const isKnown = files.some(
      ({ content, step: fileStep }) => fileStep === step && 'path' in content && content.path === path,
    );
    if (path !== null && !isKnown) files.push({ name: '', content: { path }, step });
  }
}

/** The path in an address of HTML; null for those of the web and of places in the page. */
function pathOf(address: string): string | null {
  const plainAddress = firstOf(address.replaceAll('&amp;', '&').split('#'));
  if (plainAddress === '' || plainAddress.length > 1000 || /^(?!file:)(?:[a-z][a-z\d+.-]+:|\/\/)/i.test(plainAddress))
    return null;
  try {
    return decodeURIComponent(plainAddress);
  } catch {
    return plainAddress;
  }
}

/** `20240131 12:30:00.123`, or ISO 8601. */
function instantOf(text: string | undefined): string | null {
  const oldFormat = /^(\d{4})(\d\d)(\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)$/.exec(text ?? '');
  return cleanInstant(oldFormat ? `${oldFormat[1]}-${oldFormat[2]}-${oldFormat[3]}T${oldFormat[4]}` : text);
}
