/** A project of the demo data; client by its code, members by the part of their address before the `@`. */
export interface DemoProject {
  readonly name: string;
  readonly code: string;
  readonly client: string;
  /** Ids of a shipped type and of a shipped status. */
  readonly type: number;
  readonly status: 1 | 2 | 3 | 4;
  /** Days from today when it starts and ends (negative: ago). */
  readonly start: number;
  readonly end: number | null;
  readonly technologies: string;
  readonly members: readonly string[];
}

const team = ['manager', 'developer', 'qa'];
const [web, mobile, api, desktop, game, iot, cloud, store] = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Twelve in every status, and one that went with its archived client. */
export const projects: readonly DemoProject[] = [
  {
    name: 'Shipment Tracking Portal',
    code: 'STP',
    client: 'NWF',
    type: web,
    status: 2,
    start: -118,
    end: 45,
    technologies: 'React, Node.js, PostgreSQL',
    members: [...team, 'external'],
  },
  {
    name: 'Driver App',
    code: 'DRV',
    client: 'NWF',
    type: mobile,
    status: 2,
    start: -74,
    end: 6,
    technologies: 'Kotlin, Swift',
    members: team,
  },
  {
    name: 'Customs Documents API',
    code: 'CDA',
    client: 'NWF',
    type: api,
    status: 1,
    start: 12,
    end: 140,
    technologies: 'Java, Spring, Kafka',
    members: team,
  },
  {
    name: 'Patient Appointments',
    code: 'PAT',
    client: 'BWH',
    type: web,
    status: 2,
    start: -96,
    end: 28,
    technologies: 'Vue, .NET, SQL Server',
    members: [...team, 'external'],
  },
  {
    name: 'Ward Tablet',
    code: 'WTB',
    client: 'BWH',
    type: mobile,
    status: 3,
    start: -260,
    end: -31,
    technologies: 'Flutter, Firebase',
    members: ['manager', 'qa'],
  },
  {
    name: 'Online Account Opening',
    code: 'OAO',
    client: 'MSB',
    type: web,
    status: 2,
    start: -52,
    end: 75,
    technologies: 'Angular, Java, Oracle',
    members: team,
  },
  {
    name: 'Branch Teller Desktop',
    code: 'BTD',
    client: 'MSB',
    type: desktop,
    status: 3,
    start: -300,
    end: -88,
    technologies: 'C#, WPF',
    members: team,
  },
  {
    name: 'Data Warehouse Migration',
    code: 'DWM',
    client: 'MSB',
    type: store,
    status: 4,
    start: -170,
    end: -60,
    technologies: 'Oracle, Snowflake, dbt',
    members: ['manager', 'developer'],
  },
  {
    name: 'Smart Meter Gateway',
    code: 'SMG',
    client: 'FKE',
    type: iot,
    status: 2,
    start: -40,
    end: 110,
    technologies: 'C, MQTT, Go',
    members: team,
  },
  {
    name: 'Tariff Calculator',
    code: 'TRF',
    client: 'FKE',
    type: cloud,
    status: 3,
    start: -150,
    end: -12,
    technologies: 'TypeScript, AWS Lambda',
    members: team,
  },
  {
    name: 'Summit Quest',
    code: 'SQU',
    client: 'AGO',
    type: game,
    status: 1,
    start: 20,
    end: null,
    technologies: 'Unity, C#',
    members: ['manager', 'qa'],
  },
  {
    name: 'Claims Self Service',
    code: 'CSS',
    client: 'PLM',
    type: web,
    status: 1,
    start: 3,
    end: 120,
    technologies: 'React, Go, PostgreSQL',
    members: team,
  },
  {
    name: 'Manuscript Archive',
    code: 'MSA',
    client: 'OGP',
    type: cloud,
    status: 3,
    start: -420,
    end: -180,
    technologies: 'Python, S3',
    members: ['manager', 'developer', 'external'],
  },
];

/** The projects of the second company. */
export const harbourProjects: readonly DemoProject[] = [
  {
    name: 'Ferry Booking',
    code: 'FBK',
    client: 'KGF',
    type: web,
    status: 2,
    start: -80,
    end: 60,
    technologies: 'Svelte, Elixir',
    members: ['owner'],
  },
  {
    name: 'Boarding Pass Scanner',
    code: 'BPS',
    client: 'KGF',
    type: mobile,
    status: 1,
    start: 15,
    end: 90,
    technologies: 'React Native',
    members: ['owner'],
  },
];

/** Parts of a project, by its type: a part and the parts beneath it. */
export const moduleNames: Readonly<Record<number, readonly (readonly [string, readonly string[]])[]>> = {
  [web]: [
    ['Sign-in', ['Password reset', 'Two-factor', 'Session timeout']],
    ['Search', ['Filters', 'Result list', 'Saved searches']],
    ['Checkout', ['Address form', 'Payment', 'Confirmation mail']],
    ['Account', ['Profile', 'Preferences', 'Downloads']],
    ['Accessibility', ['Keyboard', 'Screen reader']],
  ],
  [mobile]: [
    ['Onboarding', ['Permissions', 'First sync']],
    ['Offline mode', ['Queue', 'Conflicts']],
    ['Push messages', ['Opt-in', 'Deep links']],
    ['Camera', ['Barcode', 'Photo upload']],
  ],
  [api]: [
    ['Authentication', ['Tokens', 'Rate limits']],
    ['Documents', ['Upload', 'Validation', 'Signatures']],
    ['Webhooks', ['Delivery', 'Retries']],
  ],
  [desktop]: [
    ['Installer', ['Update', 'Rollback']],
    ['Cash desk', ['Deposits', 'Withdrawals']],
    ['Printing', ['Receipts', 'Statements']],
  ],
  [game]: [
    ['Gameplay', ['Controls', 'Scoring', 'Levels']],
    ['Graphics', ['Frame rate', 'Shaders']],
    ['Multiplayer', ['Matchmaking', 'Chat']],
  ],
  [iot]: [
    ['Firmware', ['Over-the-air update', 'Watchdog']],
    ['Telemetry', ['Readings', 'Clock drift']],
    ['Pairing', ['Bluetooth', 'Certificates']],
  ],
  [cloud]: [
    ['Calculation', ['Rounding', 'Time of use']],
    ['Storage', ['Retention', 'Encryption']],
    ['Operations', ['Alarms', 'Backups']],
  ],
  [store]: [
    ['Extraction', ['Full load', 'Change capture']],
    ['Transformation', ['Currencies', 'History']],
    ['Reports', ['Daily balance', 'Audit trail']],
  ],
};
