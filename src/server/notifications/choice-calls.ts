import { Type, type Static } from 'typebox';
import { closedObject, dataOf, defineCall, nullable, recordOf } from '../routing/define-call';
import { channels } from './kinds';

const tag = 'Profile';
const channel = Type.Enum([...channels], {
  description:
    'none: not at all; notice: in the program; mail: there and by a mail at once; digest: there and in a mail with what is still unread.',
});
const hour = Type.Integer({
  title: 'Hour of the Digest',
  minimum: 0,
  maximum: 23,
  description: 'In your time zone.',
});
const weekday = nullable(Type.Integer({ minimum: 0, maximum: 6 }), {
  title: 'Day of the Digest',
  description: '0 for Sunday to 6 for Saturday; null: every day.',
});
const zone = nullable(Type.String({ maxLength: 60 }), {
  title: 'Time Zone',
  description: "As Europe/Berlin: of your digest, and of dates in your mails. null: your company's.",
});

const kind = Type.Object({
  key: Type.String(),
  label: Type.String(),
  description: nullable(Type.String()),
  channel,
  usual: channel,
});
const answer = dataOf(
  Type.Object({
    kinds: Type.Array(kind),
    digest_hour: hour,
    digest_day: weekday,
    time_zone: zone,
    company_time_zone: Type.String(),
    address_confirmed: Type.Boolean({ description: 'Mails are sent only to a confirmed address.' }),
  }),
);

const change = Type.Object(
  {
    channels: Type.Optional(
      recordOf(nullable(channel), { title: 'Channels', description: 'By the keys of kinds; null: as usual.' }),
    ),
    digest_hour: Type.Optional(hour),
    digest_day: Type.Optional(weekday),
    time_zone: Type.Optional(zone),
  },
  closedObject,
);
export type NoticeChoicesChange = Static<typeof change>;

/** The calls of choices about notifications. */
export const noticeChoiceCalls = {
  read: defineCall({
    id: 'notification-choices',
    scope: 'person',
    tag,
    summary: 'How you are told of what, and when your digest comes',
    answer,
  }),
  change: defineCall({
    id: 'change-notification-choices',
    scope: 'person',
    tag,
    summary: 'Change how you are told of what, and when your digest comes; what is not sent stays',
    body: change,
    answer,
  }),
};
