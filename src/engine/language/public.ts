import { anyValue, flag, integer, list, part, record, text } from './key';
import { fieldName } from './names';

/** The parts of a resource that people without an account can reach. */
export const publicAccess = part({
  word: 'public form',
  help: 'What people without an account can reach. Default: nothing.',
  keys: {
    create: part({
      label: 'There is a form for people without an account',
      lacks: 'A form needs a field that can be filled in.',
      help: "A form for people without an account, at addresses that an owner of a company makes and revokes (the list's button Public form). Whoever has one can send records of that company, within limits for each network and each form. Their author is nobody: the history names the public form. Needs records that belong to companies.",
      required: ['fields'],
      examples: [
        {
          title: 'Ask us for an offer',
          fields: ['name', 'email', 'message'],
          values: { source: 'website' },
          confirmation: 'Thank you. We answer within two days.',
        },
      ],
      keys: {
        fields: list(fieldName(), {
          label: 'Its fields',
          options: 'writable',
          minItems: 1,
          unique: true,
          help: 'The fields of the form, in order. Anything else that is sent is refused. A relation needs `choices` of the resource that it leads to.',
        }),
        values: record(anyValue({ label: 'Value of {key}', input: 'fieldValue', begin: '' }), {
          label: 'Values of other fields',
          add: 'Add a value',
          fallback: 'Their defaults.',
          options: 'writable',
          names: fieldName(),
          help: 'Values of other fields. The rest has its default.',
        }),
        title: text({ label: 'Heading', maxLength: 150, help: 'Its heading. Default: "Add New {one}".' }),
        text: text({
          label: 'Text below the heading',
          fallback: 'None',
          lines: 2,
          maxLength: 2000,
          help: 'A text below the heading.',
        }),
        confirmation: text({
          label: 'After sending',
          lines: 2,
          maxLength: 1000,
          help: 'What is shown after sending.',
          default: 'Thank you. We have received what you sent.',
        }),
        mail: part({
          label: 'A mail confirms it',
          lacks: 'A mail needs a field with an email address.',
          help: 'A mail to the address that was entered, at most one a day for each address and form. Its text is the same for everybody, so that nobody can write to others through it.',
          required: ['address', 'subject', 'text'],
          keys: {
            address: fieldName({
              label: 'Sent to',
              options: 'emails',
              help: 'A field of the form with an email address.',
            }),
            subject: text({ label: 'Subject', begin: 'Thank you', maxLength: 150, help: 'The subject.' }),
            text: text({
              label: 'Text of the mail',
              begin: 'We have received it.',
              lines: 3,
              maxLength: 4000,
              help: 'The text.',
            }),
          },
        }),
        hourlyLimit: integer({
          label: 'At most in an hour',
          minimum: 1,
          maximum: 10000,
          help: 'So many can be sent in an hour with one address of the form.',
          default: 100,
        }),
      },
    }),
    choices: flag({
      label: 'Public forms of other modules may offer its records',
      help: 'The titles of its records that are not archived are offered in public forms of other resources, for relations that these name.',
      default: false,
    }),
  },
});
