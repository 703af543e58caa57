import type { ComponentProps } from 'react';

/** A small button with an icon. Lists and boards have many: it is a plain button, since MUI's take several times as long. */
export function RowButton(props: ComponentProps<'button'>) {
  return <button type="button" className="row-button" {...props} />;
}
