import Button from '@mui/material/Button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNotify } from 'react-admin';
import { formatInstant } from '../../../engine/formats/dates';
import { Icon } from '../../icons/Icon';
import { relativeTime } from '../../layout/relativeTime';
import { fetchApi } from '../../session/api';
import { agentName, isPhone } from './agentName';
import * as formStyles from '../../form/form.module.css';
import * as styles from './profile.module.css';

interface SignIn {
  id: number;
  created_at: string;
  last_used_at: string;
  agent: string | null;
  current: boolean;
}

const signInsKey = ['sign-ins'];

/** The devices where the user is signed in; the others can be signed out, one by one or all at once. */
export function SignIns({ readOnly }: { readOnly: boolean }) {
  const id = useId();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const { data, error } = useQuery({
    queryKey: signInsKey,
    queryFn: async () => (await fetchApi<{ data: SignIn[] }>('/sign-ins')).data,
    meta: { quiet: true },
  });
  const otherSignIns = data?.filter(({ current }) => !current) ?? [];
  const end = async (signIns: readonly SignIn[]) => {
    setIsBusy(true);
    try {
      for (const signIn of signIns) await fetchApi(`/sign-ins/${signIn.id}`, { method: 'DELETE' });
      notify(signIns.length === 1 ? 'The sign-in was ended.' : 'All other sign-ins were ended.', { type: 'success' });
    } catch (failure) {
      notify((failure as Error).message, { type: 'error' });
    } finally {
      setIsBusy(false);
      await queryClient.invalidateQueries({ queryKey: signInsKey });
    }
  };
  return (
    <section className={formStyles.formSection} aria-labelledby={id}>
      <div className={formStyles.formPurpose}>
        <h2 id={id}>Signed-in devices</h2>
        <p>End any that you do not know.</p>
      </div>
      <ul className={styles.profileSignIns} aria-busy={!data && !error}>
        {error && !data && <li role="alert">{error.message}</li>}
        {data?.map((signIn) => (
          <li key={signIn.id}>
            <Icon name={isPhone(signIn.agent) ? 'smartphone' : 'laptop'} size={18} />
            <span className={styles.profileSignIn}>
              <b>{agentName(signIn.agent)}</b>
              <small>
                Signed in {formatInstant(signIn.created_at)}, used {formatLastUsed(signIn.last_used_at)}
              </small>
            </span>
            {signIn.current ? (
              <span className={styles.profileCurrent}>This one</span>
            ) : readOnly ? null : (
              <Button
                variant="text"
                disabled={isBusy}
                aria-label={`End ${agentName(signIn.agent)}, signed in ${formatInstant(signIn.created_at)}`}
                onClick={() => void end([signIn])}
              >
                End
              </Button>
            )}
          </li>
        ))}
        {otherSignIns.length > 0 && !readOnly && (
          <li>
            <Button
              variant="text"
              color="inherit"
              disabled={isBusy}
              startIcon={<Icon name="sign-out" />}
              onClick={() => void end(otherSignIns)}
            >
              End all other sign-ins
            </Button>
          </li>
        )}
      </ul>
    </section>
  );
}

function formatLastUsed(instant: string): string {
  const timeText = relativeTime(instant);
  if (timeText === 'now') return 'just now';
  if (/^\d+ (min|h)$/.test(timeText)) return `${timeText} ago`;
  return timeText === 'Yesterday' ? 'yesterday' : `on ${timeText}`;
}
