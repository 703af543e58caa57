import { Type, type Static } from 'typebox';
import { formatChoices, weekStarts } from '../../../engine/formats/create-personal-formats';
import { closedObject, dataOf, defineCall, nullable } from '../../routing/define-call';

/** How close the rows of lists and the fields of forms are. */
const densities = ['comfortable', 'medium', 'compact'] as const;

const choices = {
  formats: nullable(Type.Enum([...formatChoices]), {
    title: 'Formats',
    description: 'How dates and numbers are shown and typed: as the browser says, as in a country, or as in ISO 8601.',
  }),
  week_start: nullable(Type.Enum([...weekStarts]), {
    title: 'First Day of the Week',
    description: '0 for Sunday, 1 for Monday, 6 for Saturday.',
  }),
  density: nullable(Type.Enum([...densities]), { title: 'Density', description: 'Of rows and forms.' }),
};

/** The preferences of a user; null: the default of users who chose nothing. */
export const preferences = Type.Object(choices, {
  ...closedObject,
  description: 'How you read dates and numbers, and how close rows are. null: as usual.',
});
export type Preferences = Static<typeof preferences>;

/** The calls of preferences. */
export const preferenceCalls = {
  change: defineCall({
    id: 'change-preferences',
    scope: 'person',
    tag: 'Profile',
    summary: 'Change how you read dates and numbers, and how close rows are; what is not sent stays',
    body: Type.Object(
      {
        formats: Type.Optional(choices.formats),
        week_start: Type.Optional(choices.week_start),
        density: Type.Optional(choices.density),
      },
      closedObject,
    ),
    answer: dataOf(preferences),
  }),
};
