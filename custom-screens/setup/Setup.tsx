import Box from '@mui/material/Box';
import { useEffect } from 'react';
import { useGetList } from 'react-admin';
import { authProvider } from '../../src/app/data/authProvider';
import type { Me } from '../../src/app/data/definitionsApi';
import { useMe } from '../../src/app/data/DefinitionsProvider';
import { GuidedStart } from '../../src/app/screens/start/GuidedStart';
import { productTitle, setDocumentTitle } from '../../src/app/brand/productTitle';
import { updateSession, useSession, type Session } from '../../src/app/session/session';
import { Step, setupProgress } from './Step';
import type { SetupTotals } from './totals';
import * as styles from './setup.module.css';

const frame = {
  className: styles.setupPicture,
  width: 120,
  height: 80,
  viewBox: '0 0 120 80',
  'aria-hidden': true,
} as const;

/** Two buildings. */
function ClientPicture() {
  return (
    <svg {...frame}>
      <path d="M.5 79.5h88" stroke="var(--line-2)" />
      <rect x="6.5" y="14.5" width="44" height="65" rx="4" stroke="var(--picture-edge)" fill="var(--surface)" />
      <rect x="50.5" y="38.5" width="32" height="41" rx="4" stroke="var(--picture-edge)" fill="var(--surface)" />
      <rect x="15" y="24" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="15" y="38" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="15" y="52" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="25" y="24" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="25" y="38" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="25" y="52" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="35" y="24" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="35" y="38" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="35" y="52" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="60" y="48" width="13" height="8" rx="2" fill="var(--tint-2)" />
    </svg>
  );
}

/** A folder with its cards. */
function ProjectPicture() {
  return (
    <svg {...frame}>
      <path
        d="M.8 71.5v-56a4 4 0 0 1 4-4h24l8 10h51a4 4 0 0 1 4 4v46a4 4 0 0 1-4 4h-83a4 4 0 0 1-4-4Z"
        stroke="var(--picture-edge)"
        fill="var(--surface)"
      />
      <path d="M14 40h40M14 52h56M14 64h28" stroke="var(--line-2)" strokeLinecap="round" />
      <rect x="62" y="34" width="16" height="10" rx="5" fill="var(--tint-2)" />
    </svg>
  );
}

/** Bars and a ring. */
function DashboardPicture() {
  return (
    <svg {...frame}>
      <rect x=".8" y="11" width="100" height="64" rx="6" stroke="var(--picture-edge)" />
      <path d="M16 64V48M30 64V36M44 64V52" stroke="var(--line-2)" strokeWidth="7" />
      <circle cx="76" cy="46" r="15" stroke="var(--line-2)" strokeWidth="6" />
      <path d="M14 24h30" stroke="var(--line-2)" strokeLinecap="round" />
    </svg>
  );
}

const firstRecordQuery = {
  pagination: { page: 1, perPage: 1 },
  sort: { field: 'id', order: 'ASC' as const },
  filter: {},
};

/** The first steps of a new owner: a client, a project, the dashboard. Signs out if the browser has no stored session. */
export default function Setup() {
  const session = useSession() as (Session & Partial<SetupTotals>) | null;
  const me = useMe() as (Me & SetupTotals) | undefined;
  const isKnown = typeof session?.totalClients === 'number' && typeof session.totalProjects === 'number';
  // Either the stored or the server's count may be outdated. Counts never decrease here, so the larger one is right.
  const totalClients = Math.max(session?.totalClients ?? 0, me?.totalClients ?? 0);
  const totalProjects = Math.max(session?.totalProjects ?? 0, me?.totalProjects ?? 0);
  useEffect(() => {
    if (!isKnown) void authProvider.logout({});
    else if (totalClients !== session.totalClients || totalProjects !== session.totalProjects) {
      updateSession({ totalClients, totalProjects });
    }
  }, [isKnown, session, totalClients, totalProjects]);
  const { data: clients } = useGetList('clients', firstRecordQuery, {
    enabled: totalClients > 0,
    meta: { quiet: true },
  });
  const client = clients?.[0] as { id: number; name: string } | undefined;
  const heading = `Welcome to ${productTitle()}, ${me?.user.first_name ?? session?.user.first_name ?? ''}`;
  useEffect(() => setDocumentTitle('Setup'), []);

  const { percent, sentence, steps } = setupProgress(totalClients, totalProjects);
  return (
    <div className={styles.setup} data-ground="canvas">
      <h1>{heading}</h1>
      <Box component="p" sx={{ mt: 1, color: 'var(--t2)' }}>
        Two records and your team can start testing. You can change them at any time.
      </Box>
      <div className={styles.setupProgress}>
        <p>
          <span>{sentence}</span>
          <span className="num">{percent}%</span>
        </p>
        <div role="progressbar" aria-label="Setup" aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
          <i style={{ width: `${percent}%` }} />
        </div>
      </div>
      <ol className={styles.setupSteps}>
        <Step
          number={1}
          title="Create Client"
          state={steps[0]}
          picture={<ClientPicture />}
          action={{ label: 'Create Client', path: '/clients/create', icon: 'plus' }}
          doneLink={client && { label: `Edit ${client.name}`, path: `/clients/${client.id}` }}
        >
          {client
            ? `${client.name} is in place. Add others whenever you need them.`
            : 'The customer you test for. Projects belong to a client.'}
        </Step>
        <Step
          number={2}
          title="Create Project"
          state={steps[1]}
          reason="Needs a client"
          picture={<ProjectPicture />}
          action={{ label: 'Create Project', path: '/projects/create', icon: 'plus' }}
          doneLink={{ label: 'See your projects', path: '/projects' }}
        >
          Test cases, tasks and hours live in a project. A name is all it needs.
        </Step>
        <Step
          number={3}
          title="Go To Dashboard"
          state={steps[2]}
          reason={totalClients === 0 ? 'Needs a client and a project' : 'Needs a project'}
          picture={<DashboardPicture />}
          action={{ label: 'Go To Dashboard', path: '/dashboard' }}
        >
          Counts, charts and deadlines of the last seven days.
        </Step>
      </ol>
      {percent < 100 && (
        <Box sx={{ mt: 6 }}>
          <GuidedStart isShort />
        </Box>
      )}
    </div>
  );
}
