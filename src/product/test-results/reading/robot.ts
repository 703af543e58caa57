import {
  attemptOf,
  cleanInstant,
  cleanSeconds,
  explicitId,
  testOf,
  type MachineResult,
  type ParsedTest,
} from './parsed-test';
import type { XmlListener } from './xml';

const results: ReadonlyMap<string, MachineResult> = new Map([
  ['PASS', 'passed'],
  ['FAIL', 'failed'],
  ['SKIP', 'skipped'],
  ['NOT RUN', 'skipped'],
]);

/** How a test ended, as its own status says. */
interface Ending {
  readonly result: MachineResult;
  readonly seconds: number | null;
  readonly message: string;
  readonly started_at: string | null;
}

/** Robot Framework's output, of versions with `start` and `elapsed` and of those with `starttime` and `endtime`. */
export function robotListener(emit: (test: ParsedTest) => void): XmlListener {
  const suites: string[] = [];
  let file: string | null = null;
  let test: { readonly name: string; readonly tags: string[] } | undefined;
  let status: Readonly<Record<string, string>> = {};
  let ended: Ending | undefined;
  return {
    wantsText: (path) => path.at(-1) === 'tag' || (path.at(-1) === 'status' && path.at(-2) === 'test'),
    open(name, attributes, path) {
      if (name === 'suite') {
        suites.push(attributes.name ?? '');
        file = attributes.source ?? file;
      } else if (name === 'test') test = { name: attributes.name ?? '', tags: [] };
      else if (name === 'status' && path.at(-2) === 'test') status = attributes;
    },
    close(name, text, path) {
      if (name === 'suite') suites.pop();
      else if (name === 'tag') test?.tags.push(text);
      else if (name === 'status' && path.at(-2) === 'test' && test) {
        const began = instantOf(status.start ?? status.starttime);
        const until = instantOf(status.endtime);
        const seconds =
          cleanSeconds(status.elapsed) ??
          (began && until ? cleanSeconds(Date.parse(until) - Date.parse(began), 1000) : null);
        ended = { result: results.get(status.status ?? '') ?? 'broken', seconds, message: text, started_at: began };
      } else if (name === 'test' && test) {
        const { result, ...facts } = ended ?? { result: 'broken' as const, message: 'The test has no status.' };
        const attempts = [attemptOf(result, result === 'passed' ? { ...facts, message: null } : facts)];
        emit(
          testOf({
            name: test.name,
            suite: suites.join('.'),
            file,
            explicit_id: explicitId([], ...test.tags, test.name),
            attempts,
          }),
        );
        [test, ended] = [undefined, undefined];
      }
    },
  };
}

/** `20240131 12:30:00.123`, or ISO 8601. */
function instantOf(text: string | undefined): string | null {
  const old = /^(\d{4})(\d\d)(\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)$/.exec(text ?? '');
  return cleanInstant(old ? `${old[1]}-${old[2]}-${old[3]}T${old[4]}` : text);
}
