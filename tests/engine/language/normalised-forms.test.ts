import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { readDefinitionFolders } from '../../../src/server/definitions/folder';
import { product as fixture } from '../../fixtures/product';

const products = {
  resources: 'resources',
  fixture: fixture.folder,
  ...Object.fromEntries(readdirSync('examples').map((name) => [`examples/${name}`, `examples/${name}/resources`])),
};

// After a change that is meant, `npx vitest run normalised-forms -u` writes the file again.
test('the normalised form of every definition stays byte for byte what it was', async () => {
  const forms = Object.entries(products).flatMap(([product, folder]) =>
    readDefinitionFolders({ system: 'system', product: folder }).definitions.map(({ text }) => {
      const form = JSON.stringify(normalise(JSON.parse(text) as Source));
      const { name } = JSON.parse(text) as Source;
      return `${product} ${name} ${createHash('sha256').update(form).digest('hex').slice(0, 16)}`;
    }),
  );
  await expect(`${forms.join('\n')}\n`).toMatchFileSnapshot('normalised-forms.txt');
});
