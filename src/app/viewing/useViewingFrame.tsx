import { useState, type ReactNode } from 'react';
import type { Me } from '../data/definitionsApi';
import { useViewing } from '../session/viewedUser';
import { lazyComponent } from '../states/lazyComponent';
import { stopViewing } from './viewAs';
import { ViewingBar } from './ViewingBar';

const ViewAsDialog = lazyComponent(() => import('./ViewAsDialog').then((part) => ({ default: part.ViewAsDialog })));

/**
 * The frame's parts for viewing as another user: the bar while viewing, and the dialog that starts it.
 *
 * @example const { above, onViewAs } = useViewingFrame(useMe());
 */
export function useViewingFrame(me: Me | undefined): { banner: ReactNode; onViewAs?: () => void } {
  const viewState = useViewing();
  const [choosing, setChoosing] = useState(false);
  const canViewAs = me?.user.mayViewAs === true;
  const [wasOpened, setWasOpened] = useState(false);
  const choose = () => {
    setWasOpened(true);
    setChoosing(true);
  };
  return {
    banner: (
      <>
        {viewState && <ViewingBar viewState={viewState} onAnother={choose} onStop={() => void stopViewing()} />}
        {canViewAs && wasOpened && (
          <ViewAsDialog open={choosing} companies={me.user.site_id === null} onClose={() => setChoosing(false)} />
        )}
      </>
    ),
    ...(canViewAs && { onViewAs: choose }),
  };
}
