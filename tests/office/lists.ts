import { JSDOM } from 'jsdom';

// oxlint-disable-next-line typescript/no-explicit-any
export type Row = Record<string, any> & { id: number };

/** The zone of whoever downloads; one that no machine of ours lies in, and no whole number of hours from UTC. */
export const timeZone = 'Asia/Kathmandu';

/** Columns of a list, and what each says of a record as the API answers it. */
export type Columns = Readonly<Record<string, (row: Row) => string>>;

/** The downloads that are opened, by their resource. */
export const lists: Readonly<Record<string, Columns>> = {
  'test-cases': {
    id: ({ id }) => String(id),
    name: ({ name }) => name,
    project_id: ({ project }) => project.name,
    project_module: ({ module }) => module?.name ?? '',
    project_sub_module: ({ sub_module: part }) => part?.name ?? '',
    type_id: ({ type }) => type?.option_name ?? '',
    task_id: ({ task }) => task?.name ?? '',
    description: ({ description }) => orTooLong(wordsOf(description)),
    test_data: ({ test_data: data }) => data ?? '',
    steps_to_reproduce: ({ steps_to_reproduce: steps }) => steps ?? '',
    result_id: ({ result }) => result?.option_name ?? '',
    priority_id: ({ priority }) => priority?.option_name ?? '',
    status_id: ({ status }) => status?.option_name ?? '',
    assigned_to: ({ assign }) => assign?.name ?? '',
    video_url: ({ video_url: address }) => address ?? '',
    created_by: ({ created_by: user }) => user.name,
    created_at: ({ created_at: at }) => minuteOf(at),
  },
  tasks: {
    id: ({ id }) => String(id),
    name: ({ name }) => name,
    milestone: ({ milestone }) => milestone ?? '',
    description: ({ description }) => orTooLong(wordsOf(description)),
    priority_id: ({ priority }) => priority?.option_name ?? '',
    start_date: ({ start_date: day }) => day ?? '',
    end_date: ({ end_date: day }) => day ?? '',
    estimated_hours: ({ estimated_hours: hours }) => (hours === null ? '' : String(hours)),
    assigned_to: ({ assign }) => assign?.name ?? '',
    status_id: ({ taskstatus: status }) => status.option_name,
    is_delayed: ({ is_delayed: late }) => (late ? 'Yes' : 'No'),
    testcases: ({ testcases_count: count }) => String(count),
    updated_at: ({ updated_at: at }) => minuteOf(at),
  },
  'time-logs': {
    id: ({ id }) => String(id),
    task_id: ({ task }) => task.name,
    user_id: ({ user }) => user.name,
    date: ({ date }) => date,
    start: ({ start }) => start,
    end: ({ end }) => end,
    total_duration: ({ total_duration: hours }) => durationOf(hours),
    comments: ({ comments }) => comments ?? '',
    is_outsource: ({ is_outsource: outside }) => (outside ? 'Yes' : 'No'),
    created_at: ({ created_at: at }) => minuteOf(at),
  },
};

/** Characters that a spreadsheet's cell holds. */
export const longest = 32_767;

/** Words without blanks; of a text that no cell holds, as of a cell that says so, that it is too long. */
export const orTooLong = (words: string): string =>
  words.length > longest || words.startsWith('[Toolongforaworkbook:') ? 'too long for a cell' : words;

/** Columns whose lines break where HTML has its blocks; what they say is compared word by word. */
export const formatted: ReadonlySet<string> = new Set(['description']);

const { body } = new JSDOM().window.document;

/** Columns of hours: programs say their unit and their decimals or leave them out. */
export const timed: ReadonlySet<string> = new Set(['total_duration']);

/** Columns of numbers, which days and instants are too. */
export const counted: ReadonlySet<string> = new Set([
  ...['id', 'estimated_hours', 'testcases', 'start', 'end', 'total_duration'],
  ...['date', 'start_date', 'end_date', 'created_at', 'updated_at'],
]);

/** What a browser reads out of HTML, without the room between. */
function wordsOf(html: string | null): string {
  body.innerHTML = html ?? '';
  return body.textContent.replace(/\s/g, '');
}

/** An instant on the clock of whoever downloads. */
function minuteOf(instant: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    new Date(instant),
  );
}

/** `1.30` → `1.50` */
function durationOf(hours: string): string {
  const [whole, minutes] = hours.split('.');
  return (Number(whole) + Number(minutes) / 60).toFixed(2);
}
