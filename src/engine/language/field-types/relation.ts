import { choice, flag, integer, text } from '../key';
import { fieldName, refer } from '../names';
import { changes, target } from './shared-keys';
import { typeKeys } from './type-keys';

export const relation = typeKeys({
  common: ['unique'],
  required: ['to'],
  keys: {
    ...target,
    onDelete: choice(['restrict', 'cascade', 'clear'], {
      label: 'When its target is deleted',
      labels: { restrict: 'Refuse the deletion', cascade: 'Delete this record too', clear: 'Clear the value' },
      help: 'relation: what happens to this record when its target is deleted. restrict: the target cannot be deleted while it is in use · cascade: this record is deleted too · clear: the value is cleared.',
      default: 'restrict',
    }),
    container: flag({
      label: 'Part of its target',
      help: 'relation: the record lives within its target, and is hidden while that is archived.',
      default: false,
    }),
    maxDepth: integer({
      label: 'Maximum depth',
      minimum: 1,
      maximum: 32,
      help: 'relation to its own resource: the maximum depth of nesting. Default: 2, parent and child.',
    }),
    depth: refer(
      text({
        label: 'Depth said by',
        input: 'text',
        pattern: '^[a-z][A-Za-z0-9_]{0,62}\\.[a-z][A-Za-z0-9_]{0,62}$',
        help: "relation to its own resource, with `maxDepth`: the depth where a related record says so: one of this record's relations, and a whole number of its target. Where that is empty it is 2, and never more than `maxDepth`. It is checked when a record is placed; what is deeper already stays. Its choices leave out records that nothing more fits below.",
        examples: ['store_id.section_depth'],
      }),
      'path',
    ),
    pin: flag({
      label: 'Remembers the version',
      help: 'relation: remembers which version of its target was meant, and tells when that has changed since. Adds three fields that only the server writes: `<name>_pin` (`updated_at` of the version that was meant; writing "current" to it takes the present one), `<name>_latest` (that of the present version) and `<name>_changed`.',
      default: false,
    }),
    ...changes,
    transitionsBy: fieldName({
      label: 'Transitions name records by',
      options: 'targetFields',
      in: 'to',
      help: 'relation: the text of the target by which `initial` and `transitions` name its records. It must be unique, so that a name means one record of a company. What has another name than those is final: rename the records and the transitions together.',
      default: 'name',
    }),
  },
});
