import { isGranted } from '../../engine/access/access-decision';
import type { Hook } from '../program';

/** beforeSave: a snippet is for modules that its author may list; their names are separated by a comma and a space. */
const guardSnippet: Hook = async ({ previousRow: before, values, actor, program, fail }) => {
  if (typeof values.modules !== 'string' || values.modules === before?.modules) return;
  const names = [...new Set(values.modules.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const registry = program.definitions.registry();
  const missing = names.find((name) => !registry.get(name) || !isGranted(actor, name, 'list'));
  if (missing !== undefined)
    fail('modules', `You have no list named ${missing.slice(0, 63)}. Separate names of modules by commas.`);
  return { modules: names.length > 0 ? names.join(', ') : null };
};

/** The hook that the definition of snippets names. */
export const snippetHooks = { guardSnippet };
