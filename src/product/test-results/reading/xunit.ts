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
import { lastOf } from '../../../engine/values/lookups';

type Attributes = Readonly<Record<string, string>>;

const results: ReadonlyMap<string, MachineResult> = new Map([
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['skip', 'skipped'],
  ['notrun', 'skipped'],
]);
const texts = new Set(['message', 'stack-trace', 'output', 'reason']);

/** The results of xUnit.net, of versions 1 to 3. Errors outside of tests, such as in a cleanup, are broken tests. */
export function xunitListener(emit: (test: ParsedTest) => void): XmlListener {
  let assembly: Attributes = {};
  let part: Attributes | undefined;
  let isError = false;
  let properties: Record<string, string> = {};
  let traits: [string, string][] = [];

  const finish = (attributes: Attributes) => {
    const { message = '', 'stack-trace': stack = '', output = '', reason = '' } = properties;
    const result = isError ? 'broken' : (results.get(attributes.result?.toLowerCase() ?? '') ?? 'broken');
    const attempt = attemptOf(result, {
      seconds: cleanSeconds(attributes.time),
      message: result === 'passed' ? null : message || reason || null,
      details: result === 'passed' ? null : [message, stack].filter(Boolean).join('\n'),
      output,
      started_at: cleanInstant(attributes['start-rtf']),
    });
    const file = assembly.name?.split(/[\\/]/).at(-1) ?? null;
    if (isError) {
      const name = `Error in ${[attributes.type, attributes.name].filter(Boolean).join(' ')}`;
      emit(testOf({ name, file, attempts: [attempt] }));
      return;
    }
    const { method, type, name: displayName = '' } = attributes;
    const rows = /\((.*)\)$/s.exec(displayName)?.[1] ?? '';
    emit(
      testOf({
        // A test can have a name to show, beside that of its method.
        name: method ?? displayName,
        parameters: rows || null,
        suite: type ?? null,
        file,
        explicit_id: explicitId(traits, displayName),
        attempts: [attempt],
      }),
    );
  };

  return {
    wantsText: (path) => texts.has(lastOf(path)),
    open(name, attributes, path) {
      if (name === 'assembly') assembly = attributes;
      else if (name === 'test' || (name === 'error' && path.at(-2) === 'errors')) {
        [part, isError, properties, traits] = [attributes, name === 'error', {}, []];
      } else if (name === 'trait' && part) traits.push([attributes.name ?? '', attributes.value ?? '']);
    },
    close(name, text) {
      if (part && (name === 'test' || (name === 'error' && isError))) {
        finish(part);
        part = undefined;
      } else if (part && texts.has(name)) properties[name] = text.trim();
    },
  };
}
