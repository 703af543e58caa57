import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import useMediaQuery from '@mui/material/useMediaQuery';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition, RequestDefinition, ResourceRecord } from '../../../engine/definitions/definition';
import { isOneClick } from '../../../engine/lists/fixed-requests';
import { canRequest, recordTitle } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { usePopup } from '../../dialogs/usePopup';
import { Icon } from '../../icons/Icon';
import { useCommands } from '../../commands/commands';
import { useMakeRequest } from '../../actions/useMakeRequest';
import { useRequestTotal } from './useRequestTotal';
import * as styles from './requests.module.css';

interface RequestButtonsProps {
  definition: Definition;
  /** The stored record. */
  record: ResourceRecord;
}

/** Windows in which buttons of the bar have no room for their words, as in `requests.module.css`. */
const narrowWindow = '@media (max-width: 1280px)';

/**
 * A button for each request on a form's record, with the number of records it created so far. Where there is no room for
 * words, several are a menu, as is one of a single click, whose icon alone would not say what it does.
 */
export function RequestButtons({ definition, record }: RequestButtonsProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const isNarrow = useMediaQuery(narrowWindow, { noSsr: true });
  const requests = Object.values(definition.requests).filter((request) =>
    canRequest(definition, request, record, actor, evaluationContext),
  );
  const makeRequest = useMakeRequest(definition);
  useCommands(() =>
    requests.map((request) => ({
      id: `request ${request.name}`,
      label: request.label,
      icon: request.icon,
      recordsText: recordTitle(definition, record),
      run: () => makeRequest(request, record),
    })),
  );
  if (isNarrow && (requests.length > 1 || requests.some(isOneClick)))
    return <RequestMenu {...{ definition, record, requests }} />;
  return requests.map((request) => <RequestButton key={request.name} {...{ definition, record, request }} />);
}

function RequestMenu({ definition, record, requests }: RequestButtonsProps & { requests: RequestDefinition[] }) {
  const makeRequest = useMakeRequest(definition);
  const menu = usePopup('menu');
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<Icon name="more" />}
        className={styles.barRequest}
        aria-label="More actions"
        {...menu.button}
      />
      <Menu {...menu.popup}>
        {requests.map((request) => (
          <MenuItem key={request.name} onClick={menu.and(() => makeRequest(request, record))}>
            <Icon name={request.icon} />
            {request.label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

function RequestButton({ definition, record, request }: RequestButtonsProps & { request: RequestDefinition }) {
  const makeRequest = useMakeRequest(definition);
  const total = useRequestTotal(request, record);
  return (
    <Button
      variant="outlined"
      startIcon={<Icon name={request.icon} />}
      className={styles.barRequest}
      aria-haspopup={isOneClick(request) ? undefined : 'dialog'}
      aria-label={total === undefined ? request.label : `${request.label}, ${formatNumber(total)}`}
      onClick={() => makeRequest(request, record)}
    >
      <span className={styles.barRequestWord}>{request.label}</span>
      {total !== undefined && <span className={`${styles.requestButtonCount} num`}>{formatNumber(total)}</span>}
    </Button>
  );
}
