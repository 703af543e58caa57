import {
  attemptOf,
  cleanInstant,
  cleanSeconds,
  explicitId,
  suiteSeparator,
  testOf,
  withFiles,
  type FoundFile,
  type MachineResult,
  type ParsedTest,
} from './parsed-test';
import type { XmlListener } from './xml';
import { firstOf, itemAt, lastOf, requireValue } from '../../../engine/values/lookups';

type Attributes = Readonly<Record<string, string>>;

/** A suite or a test that is being read. */
interface Part {
  readonly attributes: Attributes;
  readonly properties: [string, string][];
  readonly files: FoundFile[];
  message: string;
  stack: string;
  reason: string;
  output: string;
}

const results: ReadonlyMap<string, MachineResult> = new Map([
  ['passed', 'passed'],
  ['success', 'passed'],
  ['warning', 'passed'],
  ['failed', 'failed'],
  ['failure', 'failed'],
  ['error', 'broken'],
  ['cancelled', 'broken'],
  ['notrunnable', 'broken'],
  ['skipped', 'skipped'],
  ['ignored', 'skipped'],
  ['inconclusive', 'skipped'],
]);
const texts = new Set(['message', 'stack-trace', 'output', 'filePath']);

/**
 * NUnit's results: of version 3 (`test-run`), and of version 2 (`test-results`), whose suites have their tests in
 * `results`. A suite that fails in its setup or teardown is broken itself.
 */
export function nunitListener(emit: (test: ParsedTest) => void): XmlListener {
  const suites: Part[] = [];
  let test: Part | undefined;
  const newPart = (attributes: Attributes): Part => ({
    attributes,
    properties: [],
    files: [],
    message: '',
    stack: '',
    reason: '',
    output: '',
  });
  const current = () => test ?? suites.at(-1);

  const resultIn = ({ result = '', label = '', executed, success }: Attributes): MachineResult => {
    if (/^(error|invalid|cancelled)$/i.test(label)) return 'broken';
    if (executed === 'False') return 'skipped';
    return (
      results.get(result.toLowerCase()) ?? (success === undefined ? 'broken' : success === 'True' ? 'passed' : 'failed')
    );
  };
  const attemptIn = (part: Part, result: MachineResult) =>
    withFiles(
      attemptOf(result, {
        seconds: cleanSeconds(part.attributes.duration ?? part.attributes.time),
        message: result === 'passed' ? null : part.message || part.reason || null,
        details: result === 'passed' ? null : [part.message, part.stack].filter((text) => text.trim()).join('\n'),
        output: part.output,
        started_at: cleanInstant(part.attributes['start-time']),
      }),
      part.files,
    );
  const fileOf = () =>
    suites
      .find(({ attributes }) => attributes.type === 'Assembly')
      ?.attributes.name?.split(/[\\/]/)
      .at(-1) ?? null;
  const pathOf = (parts: readonly Part[]) =>
    parts
      .filter(({ attributes }) => !['Assembly', 'Project', 'Test Project'].includes(attributes.type ?? ''))
      .map(({ attributes }) => attributes.name ?? '')
      .filter(Boolean)
      .join(suiteSeparator);

  const finishTest = (part: Part) => {
    const { attributes } = part;
    const full = attributes.fullname ?? attributes.name ?? '';
    // Version 2 has the whole name only.
    const { name, parameters } = splitArguments(
      attributes.classname === undefined ? lastName(full) : (attributes.name ?? full),
    );
    const ofName =
      attributes.classname === undefined ? full.slice(0, Math.max(0, full.length - lastName(full).length - 1)) : '';
    emit(
      testOf({
        name,
        parameters,
        suite: attributes.classname ?? (ofName || null),
        path: pathOf(suites),
        file: fileOf(),
        explicit_id: explicitId(part.properties, attributes.name),
        attempts: [attemptIn(part, resultIn(attributes))],
      }),
    );
  };
  const finishSuite = (part: Part) => {
    const { site, result = '', label = '' } = part.attributes;
    const isWrong = ['failed', 'failure', 'error'].includes(result.toLowerCase());
    // `Child`: because of the tests in it, which are there themselves.
    const isOwn =
      site !== undefined
        ? /^(setup|teardown)$/i.test(site)
        : isWrong && (part.stack !== '' || /^(error|invalid)$/i.test(label));
    if (!isWrong || !isOwn) return;
    emit(
      testOf({
        name: `Suite ${part.attributes.name ?? ''}`.trim(),
        suite: part.attributes.fullname ?? part.attributes.name ?? null,
        path: pathOf([...suites, part]),
        file: fileOf(),
        attempts: [attemptIn(part, 'broken')],
      }),
    );
  };

  return {
    wantsText: (path) => texts.has(lastOf(path)),
    open(name, attributes) {
      if (name === 'test-suite') suites.push(newPart(attributes));
      else if (name === 'test-case') test = newPart(attributes);
      else if (name === 'property' && attributes.name !== undefined && attributes.value !== undefined)
        current()?.properties.push([attributes.name, attributes.value]);
    },
    close(name, text, path) {
      const part = current();
      if (name === 'test-suite') finishSuite(requireValue(suites.pop(), 'the suite that ends'));
      else if (name === 'test-case' && test) {
        const finishedTest = test;
        test = undefined;
        finishTest(finishedTest);
      } else if (!part) return;
      else if (name === 'message') {
        if (path.at(-2) === 'reason') part.reason = text.trim();
        else if (path.at(-2) === 'failure') part.message = text.trim();
      } else if (name === 'stack-trace' && path.at(-2) === 'failure') part.stack = text.trim();
      else if (name === 'output') part.output += text;
      else if (name === 'filePath' && path.at(-2) === 'attachment')
        part.files.push({ name: '', content: { path: text.trim() } });
    },
  };
}

/** Splits `Adds(1,2)`, as NUnit writes a test with arguments. */
function splitArguments(name: string): { name: string; parameters: string | null } {
  const nameMatch = /^([^(]+)\((.*)\)$/s.exec(name);
  return nameMatch?.[2] ? { name: itemAt(nameMatch, 1), parameters: nameMatch[2] } : { name, parameters: null };
}

/** The name after the last point in front of the arguments. */
function lastName(full: string): string {
  const plainName = firstOf(full.split('(', 1));
  return full.slice(plainName.lastIndexOf('.') + 1);
}
