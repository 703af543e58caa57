import { list, text } from '../key';
import { fieldName, relationPath } from '../names';
import { countName, inLists, latestBy, maxItems, source } from './shared-keys';
import { typeKeys } from './type-keys';

export const inverse = typeKeys({
  required: ['source'],
  keys: {
    source,
    inLists,
    countName,
    sum: fieldName({
      label: 'Summed field',
      options: 'summedFields',
      in: 'source',
      help: 'inverse: a number or duration of its records. Lists contain its sum, named like the field with `_sum`, beside the count; board cards show it instead of the count.',
    }),
    showFields: list(fieldName({ in: 'source', unless: 'distinctBy' }), {
      label: 'Fields shown',
      options: 'targetFields',
      unique: true,
      help: 'inverse: the fields of its records besides id and title.',
    }),
    maxItems,
    latestBy,
    valueStrip: fieldName({
      label: 'Shown side by side',
      options: 'childFields',
      in: 'source',
      help: 'inverse with `maxItems`: the select field of its records whose values are shown side by side, each in its tone, the latest last.',
      examples: ['result'],
    }),
    indirectRelation: relationPath('^[a-z][A-Za-z0-9_]{0,62}\\.[a-z][A-Za-z0-9_]{0,62}$', {
      label: 'Also through',
      input: 'text',
      in: 'source',
      help: 'inverse with `maxItems`: records that point here through another record, too: their relation to that one, and its relation to this one.',
      examples: ['contract_id.customer_id'],
    }),
    distinctBy: fieldName({
      label: 'Instead, what they refer to',
      options: 'childFields',
      in: 'source',
      help: 'inverse: a relation of its records. Shown are not they, but the records that they refer to by it, each once: the people to whom the tasks of a project are assigned. `showFields` then names fields of those. Lists have the records.',
      examples: ['handled_by'],
    }),
    confirmChangesOf: list(fieldName(), {
      label: 'Asks before changes of',
      options: 'sharable',
      unique: true,
      help: 'inverse: fields of this record whose change is a change of its records too. Before a form with one of them changed is saved, it asks, and says in how many records it is used (`GET r/{id}/uses/{field}`): how many of them the user may list, and whether there are others.',
      examples: [['steps']],
    }),
  },
  // The records are named by their resource too, never by a field of this one.
  particulars: { source: text({ pattern: '^[a-z][a-z0-9-]*\\.[a-z][A-Za-z0-9_]*(\\.[a-z][A-Za-z0-9_]*)?$' }) },
});
