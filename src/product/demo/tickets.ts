import { insertRows, nextIds } from '../../server/accounts/insert-rows';
import { demoAccounts } from './accounts';
import { stamps, type DemoCompany } from './people';
import type { DemoLoader } from './loader';
import { propertyOf, requireValue } from '../../engine/values/lookups';

/** A support ticket, raised a number of days ago, and its answer. */
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
    description: 'The exported list opens with a warning in older versions of Excel.',
    steps_to_reproduce: 'Open Tasks\nDownload\nOpen the file in Excel 2010',
    status: 'closed',
    answer:
      "The warning is about the file type and is harmless. Since this week's release the file opens in Excel 2010 without it.",
  },
  {
    by: 'qa',
    ago: 6,
    type: 'feature',
    priority_id: 3,
    description: 'Please let us paste screenshots straight from the clipboard.',
    status: 'answered',
    answer: 'Good idea: it is planned for the next release. Until then you can drop an image onto the field.',
  },
  {
    by: 'developer',
    ago: 3,
    type: 'issue',
    priority_id: 1,
    description: 'A comment with a long link without spaces makes the column wider than the page.',
    steps_to_reproduce: 'Open any task\nWrite a comment with a link of 300 characters\nSave',
  },
  {
    by: 'external',
    ago: 1,
    type: 'feature',
    priority_id: 4,
    description: 'A keyboard shortcut for the next test case would save many clicks.',
  },
];

/** Stores the support tickets of a company. */
export async function storeSupportTickets(
  { trx, registry, calendar }: DemoLoader,
  company: DemoCompany,
): Promise<void> {
  const definition = registry.getOrThrow('support-tickets');
  const raised = tickets.filter(({ by: sender }) => company.people[sender] !== undefined && sender !== 'owner');
  const ids = await nextIds(trx, definition, raised.length);
  const rows = raised.map(({ by: sender, ago, status = 'open', ...ticket }, index) => {
    const account = requireValue(
      demoAccounts.find(({ email }) => email.startsWith(`${sender}@`)),
      `the account of ${sender}`,
    );
    return {
      id: ids[index],
      ...ticket,
      status,
      name: `${account.first_name} ${account.last_name}`,
      email: account.email,
      site_id: company.site,
      ...stamps(calendar.at(-ago, 10 + index, 20), propertyOf(company.people, sender)),
    };
  });
  if (rows.length > 0) await insertRows(trx, definition, rows);
}
