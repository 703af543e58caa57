import { describe, expect, it } from 'vitest';
import { formatAge } from '../../../src/app/studio/timeAgo';
import { newFields } from '../../../src/app/studio/preview/highlight';
import { sampleRecord } from '../../../src/app/studio/preview/FormCard';
import { isShowableIn, type PreviewWorld } from '../../../src/app/studio/preview/previewWorld';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';

const written: Source = {
  name: 'books',
  labels: { one: 'Book', many: 'Books' },
  fields: {
    name: { type: 'text' },
    pages: { type: 'text' },
    due: { type: 'date' },
    shelf_id: { type: 'relation', to: 'shelves', embed: 'shelf' },
    state: { type: 'select', options: [{ value: 1, label: 'Lent' }] },
  },
};
const published = normalise(structuredClone(written));
const draftOf = (change: (source: Source) => void) => {
  const source = structuredClone(written);
  change(source);
  return normalise(source);
};

it('fields are new in a draft unless they were there before, under another name too', () => {
  const draft = draftOf(({ fields }) => {
    fields.title = { ...fields.name!, formerName: 'name' };
    fields.isbn = { type: 'text' };
    delete fields.name;
  });
  expect(newFields(draft, published)).toEqual(['isbn']);
});

describe('records of one draft in another', () => {
  const world = (change: (source: Source) => void = () => {}) =>
    ({ definition: draftOf(change), viewAs: 'user 3', company: 1 }) as PreviewWorld;

  it.each([
    ['a new label', world(({ fields }) => void (fields.name!.label = 'Title')), true],
    ['a new field', world(({ fields }) => void (fields.isbn = { type: 'text' })), true],
    ['another type', world(({ fields }) => void (fields.pages = { type: 'number' })), false],
    ['another target', world(({ fields }) => void (fields.shelf_id!.to = 'books')), false],
    ['another viewer', { ...world(), viewAs: 'user 4' }, false],
    ['another company', { ...world(), company: 2 }, false],
  ])('can be shown until its own arrive: with %s', (_, after, expected) => {
    expect(isShowableIn(world(), after)).toBe(expected);
  });
});

describe('the records of a preview', () => {
  it('include a sample that is valid in its own form', () => {
    expect(sampleRecord(published)).toMatchObject({ name: 'Sample name', shelf_id: null, state: 1 });
  });

  it.each([
    [200, 'just now'],
    [1000, '1 second ago'],
    [40_000, '40 seconds ago'],
    [60_000, '1 minute ago'],
    [7_300_000, '2 hours ago'],
  ])('say how long ago %i milliseconds are: %s', (milliseconds, words) => {
    expect(formatAge(milliseconds)).toBe(words);
  });
});
