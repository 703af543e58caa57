// `npm run schemas`: writes the JSON Schemas in `schemas/` from the description of the language in `src/engine/language`, and the
// names of the keys of each field type, for code of the browser that does without the descriptions.
import { writeFileSync } from 'node:fs';
import { languageFiles } from '../src/engine/language/files';
import { typeKeyNames } from '../src/engine/language/field-types';
import { toJsonSchema } from '../src/engine/language/json-schema';

for (const [name, key] of Object.entries(languageFiles))
  writeFileSync(new URL(`../schemas/${name}`, import.meta.url), `${JSON.stringify(toJsonSchema(key), null, 2)}\n`);
writeFileSync(
  new URL('../src/engine/normalise/type-key-names.json', import.meta.url),
  `${JSON.stringify(typeKeyNames(), null, 2)}\n`,
);
