import type { NoticeKind, Product } from '../program';

/**
 * How somebody is told: not at all, in the program, there and by a mail at once, or there and in the digest of what is
 * still unread.
 */
export const channels = ['none', 'notice', 'mail', 'digest'] as const;
export type Channel = (typeof channels)[number];

/** The occasion of notifications that steps of automations send, which have no template. */
export const automationOccasion = 'automation';

const systemKinds = {
  mention: {
    label: 'You are mentioned',
    description: 'Somebody names you in a comment.',
    occasions: ['record_mentioned'],
  },
  comment: {
    label: 'Somebody comments',
    description: 'On a record that you watch.',
    occasions: ['record_commented'],
  },
  change: {
    label: 'A record is changed',
    description: 'One that you chose to watch, or commented on.',
    occasions: ['record_changed', 'record_deleted'],
  },
  announcement: {
    label: 'Announcements',
    description: 'By an owner or administrator, to you, your role or everybody.',
    occasions: ['announcement'],
  },
  automation: {
    label: 'Automations',
    description: 'An automation of your company notifies you.',
    occasions: [automationOccasion],
  },
} as const satisfies Readonly<Record<string, NoticeKind>>;

/** The kinds of each product: asked for with every recipient. */
const kindsOfProducts = new WeakMap<Product, ReadonlyMap<string, NoticeKind>>();

/**
 * All kinds by their keys: those of the system, and those of the product, which may add occasions to one of the system.
 * Throws if an occasion is of two kinds.
 */
export function noticeKinds(product: Product): ReadonlyMap<string, NoticeKind> {
  const kinds = kindsOfProducts.get(product) ?? joinKinds(product);
  kindsOfProducts.set(product, kinds);
  return kinds;
}

function joinKinds({ noticeKinds: productKinds = {} }: Product): ReadonlyMap<string, NoticeKind> {
  const { mention, comment, change, ...rest } = systemKinds;
  const kinds = new Map<string, NoticeKind>();
  for (const [key, kind] of Object.entries({ mention, comment, change, ...productKinds, ...rest })) {
    const [system, productKind] = [(systemKinds as Readonly<Record<string, NoticeKind>>)[key], productKinds[key]];
    kinds.set(
      key,
      system && productKind ? { ...productKind, occasions: [...system.occasions, ...productKind.occasions] } : kind,
    );
  }
  const allOccasions = [...kinds.values()].flatMap(({ occasions }) => occasions);
  const duplicate = allOccasions.find((name, index) => allOccasions.indexOf(name) !== index);
  if (duplicate !== undefined)
    throw new Error(`The occasion ${duplicate} is of two kinds. Remove it from one of noticeKinds of the product.`);
  return kinds;
}

/** The channels that a user chose, by the keys of kinds. */
export type ChosenChannels = Readonly<Record<string, Channel>>;

/** The channel of an occasion for a user; an occasion without a kind is shown in the program. */
export function channelOf(
  product: Product,
  templateName: string | null | undefined,
  chosenChannels: ChosenChannels = {},
): Channel {
  for (const [key, kind] of noticeKinds(product))
    if (typeof templateName === 'string' && kind.occasions.includes(templateName))
      return chosenChannels[key] ?? kind.defaultChannel ?? 'notice';
  return 'notice';
}
