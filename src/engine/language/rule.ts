import { actions } from '../definitions/definition';
import { choice, union, file, list, part, text, type ValueOf } from './key';
import { condition, fieldName, levels, roles } from './names';

/** A rule: who may do what with which records. */
export const rule = file(
  'Rule',
  part({
    title: 'reason',
    help: 'Narrows a grant. It names whom it applies to in `levels`, `roles` or both. For the roles and actions that rules name, the grant applies only where at least one of those rules matches: on records that match `where`, and for the fields it allows.',
    required: ['action'],
    keys: {
      levels: levels({
        begin: [6],
        fallback: 'None',
        help: 'The levels that it applies to, 1 (administrator of the installation) to 6 (external user).',
      }),
      roles: roles({
        fallback: 'None',
        help: 'The roles that it applies to, by their keys: `warehouse`, whatever the role is called now and whichever company it belongs to.',
      }),
      action: union([choice(actions), list(choice(actions), { minItems: 1, unique: true })], {
        label: 'To',
        begin: 'edit',
        help: 'For which action, or actions.',
      }),
      where: condition({
        label: 'Only records where',
        begin: { created_by: '$actor.id' },
        onRemoval: 'report',
        help: 'Only records that match. Default: all.',
      }),
      fields: list(fieldName(), {
        label: 'Only these fields',
        onRemoval: 'reportLast',
        minItems: 1,
        unique: true,
        help: 'Only these fields. Default: all.',
      }),
      exceptFields: list(fieldName(), {
        label: 'All fields except',
        minItems: 1,
        unique: true,
        help: 'All fields but these.',
      }),
      reason: text({
        label: 'Description',
        help: 'What the rule allows, as text: shown when an action is refused. Default: derived from the rule.',
      }),
    },
  }),
);

export type RuleSource = ValueOf<typeof rule>;
