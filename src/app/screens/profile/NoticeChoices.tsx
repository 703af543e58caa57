import { useMe } from '../../data/DefinitionsProvider';
import { usePage } from '../../layout/page';
import { useViewing } from '../../session/viewedUser';
import { FailedState } from '../../states/FailedState';
import { DigestTime } from './DigestTime';
import { NoticeKinds } from './NoticeKinds';
import { useNoticeChoices } from './noticeChoicesApi';
import * as formStyles from '../../form/form.module.css';
import * as styles from './profile.module.css';

/** How the user is told of what: in the program, by mail at once, in a digest, or not at all. Applies at once. */
export default function NoticeChoices() {
  const me = useMe();
  const isViewing = useViewing() !== null;
  const { data, error, refetch, change } = useNoticeChoices();
  usePage({ title: 'Profile', note: [me?.role.role_name, me?.user.site?.name].filter(Boolean).join(', ') });
  return (
    <div className={styles.profile}>
      {error && !data ? (
        <FailedState
          title="Your notification settings could not be loaded"
          message={error.message}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className={formStyles.formSections} aria-busy={!data}>
          {data && <NoticeKinds choices={data} change={change} disabled={isViewing} />}
          {data && <DigestTime choices={data} change={change} disabled={isViewing} />}
        </div>
      )}
    </div>
  );
}
