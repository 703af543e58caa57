import Tooltip from '@mui/material/Tooltip';
import { Icon } from '../../icons/Icon';
import * as styles from './properties.module.css';

/** An info icon with a tooltip. Screen readers get the text by its id. */
export function Hint({ id, text }: { id?: string; text: string }) {
  return (
    <>
      <Tooltip title={text} enterTouchDelay={0} leaveTouchDelay={8000} placement="top" describeChild>
        <span className={styles.studioInfo} aria-hidden="true">
          <Icon name="info" size={14} />
        </span>
      </Tooltip>
      <span id={id} className="unseen">
        {text}
      </span>
    </>
  );
}
