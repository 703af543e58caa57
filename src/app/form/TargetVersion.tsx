import Button from '@mui/material/Button';
import { useState } from 'react';
import { formatInstant } from '../../engine/formats/dates';
import { useDefinitions } from '../data/DefinitionsContext';
import { Icon } from '../icons/Icon';
import { lazyComponent } from '../states/lazyComponent';
import type { PinnedTarget } from './FormContext';
import * as styles from './form.module.css';

const VersionDialog = lazyComponent(() => import('./VersionDialog'));

/**
 * Says below a relation that its target has changed since, shows what is different, and takes the new version, which is
 * stored when the form is saved.
 */
export default function TargetVersion({ field, target, latest, pin, isTaken, onTake }: PinnedTarget) {
  const [isOpen, setOpen] = useState(false);
  const definition = useDefinitions().registry.get(field.to);
  if (isTaken)
    return (
      <div className={styles.targetVersion} role="status">
        <Icon name="info" size={14} />
        <span>The new version is taken when you save.</span>
        <Button variant="text" size="small" onClick={() => onTake?.(false)}>
          Keep the old
        </Button>
      </div>
    );
  return (
    <div className={styles.targetVersion} role="status">
      <Icon name="warning" size={14} />
      <span>
        {field.label} changed on {formatInstant(latest)}.
      </span>
      {definition?.history && (
        <Button variant="text" size="small" onClick={() => setOpen(true)}>
          Show difference
        </Button>
      )}
      {onTake && (
        <Button variant="text" size="small" onClick={() => onTake(true)}>
          Take the new version
        </Button>
      )}
      {isOpen && definition && (
        <VersionDialog
          {...{ definition, target, pin, label: field.label }}
          onTake={
            onTake &&
            (() => {
              setOpen(false);
              onTake(true);
            })
          }
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
