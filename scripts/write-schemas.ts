// `npm run schemas`: writes the JSON Schemas in `schemas/` from the description of the language in `src/engine/language`.
import { writeFileSync } from 'node:fs';
import { languageFiles } from '../src/engine/language/files';
import { toJsonSchema } from '../src/engine/language/json-schema';

for (const [name, key] of Object.entries(languageFiles))
  writeFileSync(new URL(`../schemas/${name}`, import.meta.url), `${JSON.stringify(toJsonSchema(key), null, 2)}\n`);
