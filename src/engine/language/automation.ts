import { changeEvents } from '../definitions/automation';
import {
  choice,
  union,
  file,
  integer,
  keyWith,
  list,
  number,
  part,
  record,
  recordValue,
  template,
  text,
  type ValueOf,
} from './key';
import { condition, fieldName, identifier, refer, relationPath, resourceName, roleName } from './names';

/** The days of a week, as the studio calls them. */
const weekdayLabels = {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
};

const steps = list(
  part({
    help: 'One step: exactly one of `notify`, `mail`, `set`, `create` and `webhook`.',
    kinds: {
      label: 'Does',
      by: {
        notify: { label: 'Notify', keys: ['text'], begin: { text: 'Something happened here.' } },
        mail: { label: 'Send a mail' },
        set: { label: 'Set fields' },
        create: { label: 'Create records', keys: ['forEach', 'values'], begin: { values: {} } },
        webhook: { label: 'Call a webhook' },
      },
    },
    keys: {
      notify: union(
        [
          relationPath('^[a-z][A-Za-z0-9_]*(\\.[a-z][A-Za-z0-9_]*){0,4}$'),
          list(relationPath('^[a-z][A-Za-z0-9_]*(\\.[a-z][A-Za-z0-9_]*){0,4}$'), { minItems: 1, unique: true }),
          part({
            keys: {
              roles: list(roleName(), {
                minItems: 1,
                unique: true,
                help: 'Roles by their keys, which stay when a role is renamed.',
              }),
              roleNames: list(text(), {
                minItems: 1,
                help: 'Roles by their names. Prefer `roles`: a renamed role is no longer meant.',
              }),
              levels: list(choice([1, 2, 3, 4, 5, 6]), { minItems: 1, help: 'Levels of roles.' }),
            },
          }),
        ],
        {
          label: 'Whom',
          input: 'recipients',
          begin: 'created_by',
          help: "Notifies users who may view the record: a path to a user (`owner_id`, `order_id.owner_id`), several paths, or `roleNames` or `levels`, which means everybody of them in the record's company.",
          examples: ['owner_id', ['owner_id', 'created_by'], { roles: ['warehouse'] }],
        },
      ),
      text: template({
        label: 'Text',
        lines: 2,
        through: 'relations',
        maxLength: 2000,
        help: 'What a notification says; `{field}` and `{relation_id.field}` are values of the record.',
        examples: ['Next step today: {next_step}'],
      }),
      mail: part({
        help: 'Sends an email, with a template or with a subject and a text.',
        required: ['to'],
        keys: {
          to: relationPath('^[a-z][A-Za-z0-9_]*(\\.[a-z][A-Za-z0-9_]*){0,4}$', {
            label: 'To',
            options: 'mailPaths',
            begin: 'created_by',
            help: 'A path to a user, or to a field of type email.',
          }),
          template: text({
            label: 'Template',
            input: 'emailTemplate',
            fallback: 'None',
            help: 'The identifier of an email template; its placeholders are the fields of the record.',
          }),
          subject: template({
            label: 'Subject',
            applies: { template: false },
            begin: 'Something happened',
            through: 'relations',
            maxLength: 200,
            help: 'The subject, with `{field}`.',
          }),
          text: template({
            label: 'Text',
            lines: 3,
            applies: { template: false },
            begin: 'Something happened.',
            through: 'relations',
            maxLength: 5000,
            help: 'The text, with `{field}`.',
          }),
        },
      }),
      set: record(recordValue({ withTemplate: true }), {
        label: 'Values',
        input: 'stepValues',
        add: 'Add a value',
        fallback: 'Choose a field to set.',
        minProperties: 1,
        names: fieldName(),
        help: 'Fields of the record and their values: plain ones, `null`, `$record.field`, `$today+7d`, `$now`, `$actor.id`, or texts with `{field}`: times in the zone of the user with whose permissions it runs, otherwise of their company. Read-only fields can be set too.',
        examples: [{ state: 'overdue', checked_by: '$actor.id' }],
      }),
      create: resourceName({ label: 'Record of', help: 'Creates a record of this resource, with `values`.' }),
      values: record(recordValue({ withTemplate: true }), {
        label: 'Values',
        input: 'stepValues',
        add: 'Add a value',
        fallback: 'Fields without a value get their defaults.',
        names: fieldName({ in: 'create' }),
        help: 'With `create`: its values, as in `set`. `$record.id` is the id of the record that it is about, `$each.id` of the one of `forEach`.',
        examples: [{ order_id: '$record.id', due_on: '$today+7d' }],
      }),
      forEach: fieldName({
        label: 'One for each of',
        options: 'counted',
        fallback: 'Just one',
        help: 'With `create`: a field with several related records; one record is created for each of them.',
      }),
      webhook: identifier({
        label: 'Webhook',
        input: 'webhook',
        help: 'Calls the webhook with this name, which an administrator has entered, with the record as the user may read it.',
      }),
    },
  }),
  {
    label: 'Steps',
    add: 'Add a step',
    fallback: 'An automation needs a step',
    minItems: 1,
    maxItems: 20,
    isWhole: true,
    help: 'The steps, in their order: all of them or none.',
  },
);

/** An automation: what happens by itself when records change, or at a time. */
export const automation = file(
  'Automation',
  part({
    help: 'Something that happens by itself. Exactly one of `events` (or `transition`), `schedule`, `dueTime` and `idleTime` says when; `where` for which records; `steps` what. It is done with the permissions of a user, and never beyond them: what that user may not do is refused, and the list of runs says so.',
    required: ['name', 'steps'],
    kinds: {
      label: 'Starts',
      by: {
        events: { label: 'After a change', keys: ['changedFields'] },
        transition: { label: 'When a field becomes a value', keys: ['events', 'changedFields'] },
        // Without a change there is no person with whose permissions it could run.
        schedule: { label: 'At a time', keys: ['time', 'weekdays', 'day', 'timeZone'], begin: { runAs: 'created_by' } },
        dueTime: { label: 'At a time of the record', begin: { runAs: 'created_by' } },
        idleTime: { label: 'After a time without change', begin: { runAs: 'created_by' } },
      },
    },
    keys: {
      label: text({ label: 'Label', maxLength: 200, help: 'What the list of runs calls it. Default: the name.' }),
      name: identifier({ label: 'Name', help: 'Its name among the automations of this resource.' }),
      events: list(choice(changeEvents), {
        label: 'After a record was',
        labels: { create: 'Created', update: 'Changed', delete: 'Deleted or archived', comment: 'Commented on' },
        fallback: 'Changed',
        begin: ['update'],
        minItems: 1,
        unique: true,
        help: 'After which changes. Archiving counts as deleting. `comment`: after a new comment on the record; `$actor` in `where` is who wrote it, `$now` when. The condition is looked at again when the steps are done, so that of two comments at once only the first fills an empty field.',
        examples: [['create', 'update'], ['comment']],
      }),
      changedFields: list(fieldName(), {
        label: 'Only if one of these changed',
        applies: { events: true },
        options: 'unidentified',
        minItems: 1,
        unique: true,
        help: 'Only if one of these fields has changed, or has a value in a new record. Default: any change.',
        examples: [['result']],
      }),
      transition: part({
        help: 'Only if this field has just become this value. Without `events`: after a change.',
        examples: [{ field: 'state', to: 'approved' }],
        required: ['field', 'to'],
        keys: {
          field: fieldName({ label: 'Field', options: 'becoming', help: 'The field.' }),
          to: union([text({ minLength: 0 }), number()], {
            label: 'Becomes',
            input: 'state',
            options: 'statesOfField',
            help: 'The value.',
          }),
        },
      }),
      schedule: choice(['hour', 'day', 'week', 'month'], {
        label: 'How often',
        labels: { hour: 'Every hour', day: 'Every day', week: 'Every week', month: 'Every month' },
        begin: 'day',
        help: 'At a time of every hour, day, week or month, for each record that matches `where`. Once, however many servers run. A program that was stopped then does it when it starts, within the same period; `$now` and `$today` mean the time when it was due.',
      }),
      weekdays: list(choice(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']), {
        label: 'On',
        labels: weekdayLabels,
        applies: { schedule: ['week'] },
        minItems: 1,
        unique: true,
        help: 'With `"schedule": "week"`: on which days.',
        default: ['monday'],
        examples: [['monday', 'thursday']],
      }),
      day: keyWith<number | 'last'>(
        { anyOf: [integer({ minimum: 1, maximum: 31 }), choice(['last'])] },
        {
          label: 'Day',
          options: 'daysOfMonth',
          fallback: 'The first',
          applies: { schedule: ['month'] },
          help: 'With `"schedule": "month"`: the day, or `last`. A month that is too short for it has it on its last day.',
          default: 1,
          examples: ['last'],
        },
      ),
      time: text({
        label: 'At',
        pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
        help: 'With `schedule`: the time; for `hour`, only its minutes count.',
        default: '00:00',
        examples: ['08:30'],
      }),
      timeZone: text({
        label: 'Time zone',
        minLength: 0,
        maxLength: 60,
        help: 'With `schedule`: the time zone of `time` and of `$today`.',
        default: 'UTC',
        examples: ['Europe/Berlin'],
      }),
      dueTime: part({
        help: 'At a time that a field of each record says, to the minute, such as an hour before `due_at`: `{ "field": "due_at", "offset": "-1h" }`. Once for each record and value of the field. Another date is another time, an emptied field none. `where` is looked at when the time has come. A program that was stopped makes up for the times of the last 24 hours when it starts; so does a value that is stored when its time has just passed. Times from before the automation existed, or was changed, do not count. `$now` means the time when it was due, `$today` the day then in the time zone of the record\'s company.',
        required: ['field'],
        examples: [
          { field: 'due_at', offset: '-1h' },
          { field: 'due_on', offset: '-2d', timeOfDay: '08:00' },
        ],
        keys: {
          field: fieldName({
            label: 'Date',
            options: 'moments',
            begin: 'created_at',
            help: 'A stored date or date-time. It gets an index.',
          }),
          offset: text({
            label: 'How long before or after',
            input: 'offset',
            begin: '+1d',
            pattern: '^[+-][1-9]\\d{0,3}(min|h|d|w)$',
            help: 'So long before it (`-1h`) or after it (`+2d`): a number with `min`, `h`, `d` or `w`. A day of a date-time is 24 hours; of a date it is one of the calendar. Default: at its time.',
            examples: ['-1h', '+2d'],
          }),
          timeOfDay: text({
            label: 'Time of day',
            applies: { field: 'days' },
            pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
            help: 'Of a date: at which time of the day, in the time zone of the company to which the record belongs; UTC if to none.',
            default: '09:00',
            examples: ['08:00'],
          }),
        },
      }),
      idleTime: text({
        label: 'Without change for',
        input: 'length',
        begin: '7d',
        pattern: '^[1-9]\\d{0,3}(min|h|d|w)$',
        help: 'After so long without a change of the record: a number with `min`, `h`, `d` or `w`. Looked at when the time has passed, for records changed since the automation exists.',
        examples: ['7d'],
      }),
      where: condition({
        label: 'Only for records where',
        help: 'Only for records that match, as they are after the change (before it, when deleted). Default: all.',
        examples: [{ result: 'failed' }],
      }),
      runAs: refer(
        text({
          label: 'With the permissions of',
          options: 'runAs',
          minLength: 0,
          maxLength: 255,
          help: 'With whose permissions: `author` (who made the change), a path to a user of the record, or the email address of a user. Required with `schedule`, `dueTime` and `idleTime`, where there is no author.',
          default: 'author',
          examples: ['owner_id', 'robot@example.com'],
        }),
        'path',
        { through: 'relations', words: ['author'] },
      ),
      steps: steps,
    },
  }),
);

export type AutomationSource = ValueOf<typeof automation>;
