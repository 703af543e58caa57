import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useMe } from '../../data/DefinitionsProvider';
import { usePage } from '../../layout/page';
import { FailedState } from '../../states/FailedState';
import { factorsKey, fetchFactors } from './factorsApi';
import { DataDownload } from './DataDownload';
import { Passkeys } from './Passkeys';
import { SignIns } from './SignIns';
import { TwoFactor } from './TwoFactor';
import * as formStyles from '../../form/form.module.css';
import * as styles from './profile.module.css';

/** How the user signs in: second factor, passkeys and signed-in devices. */
export default function Security() {
  const { actor } = useDefinitions();
  const me = useMe();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery({ queryKey: factorsKey, queryFn: fetchFactors, meta: { quiet: true } });
  usePage({ title: 'Profile', note: [me?.role.role_name, me?.user.site?.name].filter(Boolean).join(', ') });
  const readOnly = actor.viewer !== undefined;
  const reloadFactors = () => void queryClient.invalidateQueries({ queryKey: factorsKey });
  return (
    <div className={styles.profile}>
      {error && !data ? (
        <FailedState
          title="Your security settings could not be loaded"
          message={error.message}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className={formStyles.formSections} aria-busy={!data}>
          {data && !readOnly && <TwoFactor factors={data} onChanged={reloadFactors} />}
          {data && !readOnly && <Passkeys factors={data} onChanged={reloadFactors} />}
          <SignIns readOnly={readOnly} />
          {!readOnly && <DataDownload />}
        </div>
      )}
    </div>
  );
}
