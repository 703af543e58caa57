import { flag, template } from '../key';
import { fieldName } from '../names';
import { typeKeys } from './type-keys';

export const sequence = typeKeys({
  common: ['unique'],
  required: ['format'],
  keys: {
    format: template({
      label: 'Format',
      through: 'relations',
      words: ['n'],
      onRemoval: 'report',
      minLength: 3,
      maxLength: 100,
      help: 'sequence: the key with `{n}` for the number. Other names in braces are required fields of the record or of a record that it refers to: `TC-{n}`, `{store_id.code}-{n}`. A changed format holds for new records; the others keep their keys.',
      examples: ['TC-{n}', '{store_id.code}-{n}'],
    }),
    partitionBy: fieldName({
      label: 'Numbered per',
      input: 'text',
      words: ['company', 'installation'],
      onRemoval: 'report',
      help: 'sequence: which records are numbered together. `company`: those of a company · `installation`: all · a required relation: those that refer to the same record. Default: `company` where records belong to companies, else `installation`.',
      examples: ['company', 'installation', 'store_id'],
    }),
    gapless: flag({
      label: 'Without gaps',
      help: 'sequence: no number is left out, as invoices need it. Creating records then waits for others who create some that are numbered together, until theirs are stored. Otherwise numbers are given without waiting, always upwards, and one whose record was not stored after all may be left out. Default: `false`.',
    }),
  },
});
