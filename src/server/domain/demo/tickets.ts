import { insertRows, nextIds } from '../rows';
import { demoAccounts } from './accounts';
import { stamps, type DemoCompany } from './people';
import type { Loading } from './work';

/** A query as it was raised so many days ago, and what was answered to it. */
interface DemoTicket {
  readonly by: string;
  readonly ago: number;
  readonly type: 'issue' | 'feature';
  readonly priority_id: number;
  readonly description: string;
  readonly steps_to_reproduce?: string;
  readonly status?: 'answered' | 'closed';
  readonly answer?: string;
}

const tickets: readonly DemoTicket[] = [
  {
    by: 'manager',
    ago: 21,
    type: 'issue',
    priority_id: 2,
    description: 'The exported list opens with a warning in the older Excel.',
    steps_to_reproduce: 'Open Tasks\nDownload\nOpen the file in Excel 2010',
    status: 'closed',
    answer:
      'The warning is about the type of the file and does no harm. From this week on the file is written so that Excel 2010 is content with it too.',
  },
  {
    by: 'qa',
    ago: 6,
    type: 'feature',
    priority_id: 3,
    description: 'Please let us paste screenshots straight from the clipboard.',
    status: 'answered',
    answer: 'A good idea: it is planned for the next release. Until then a picture can be dropped onto the field.',
  },
  {
    by: 'developer',
    ago: 3,
    type: 'issue',
    priority_id: 1,
    description: 'A comment with a long link without spaces makes the column wider than the page.',
    steps_to_reproduce: 'Open any task\nWrite a comment with a link of 300 letters\nSave',
  },
  {
    by: 'external',
    ago: 1,
    type: 'feature',
    priority_id: 4,
    description: 'A shortcut for the next test case would save many clicks.',
  },
];

/** Stores what the people of a company have asked. */
export async function storeTickets({ trx, registry, calendar }: Loading, company: DemoCompany): Promise<void> {
  const definition = registry.need('support-tickets');
  const raised = tickets.filter(({ by }) => company.people[by] !== undefined && by !== 'owner');
  const ids = await nextIds(trx, definition, raised.length);
  const rows = raised.map(({ by, ago, status = 'open', ...ticket }, index) => {
    const account = demoAccounts.find(({ email }) => email.startsWith(`${by}@`))!;
    return {
      id: ids[index],
      ...ticket,
      status,
      name: `${account.first_name} ${account.last_name}`,
      email: account.email,
      site_id: company.site,
      ...stamps(calendar.at(-ago, 10 + index, 20), company.people[by]!),
    };
  });
  if (rows.length > 0) await insertRows(trx, definition, rows);
}
