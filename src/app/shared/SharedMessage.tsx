import { SharedPage } from './SharedPage';

interface SharedMessageProps {
  note: string;
  title: string;
  message: string;
  /** The words of the button, and what it does. */
  action: string;
  onAction: () => void;
}

/** In the place of a shared record: why it is not there, and a way on. */
export function SharedMessage({ note, title, message, action, onAction }: SharedMessageProps) {
  return (
    <SharedPage note={note}>
      <div className="shared-failed" role="alert">
        <h1>{title}</h1>
        <p>{message}</p>
        <button type="button" onClick={onAction}>
          {action}
        </button>
      </div>
    </SharedPage>
  );
}
