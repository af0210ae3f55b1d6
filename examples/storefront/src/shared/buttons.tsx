import type { ComponentProps } from 'react';

type ButtonProps = Omit<ComponentProps<'button'>, 'type' | 'className'>;

/** A button beside the main one. It submits no form. */
export const PlainButton = (props: ButtonProps) => (
  <button type="button" className="button button-plain" {...props} />
);

/** As `PlainButton`, with the look of a link. */
export const LinkButton = (props: ButtonProps) => (
  <button type="button" className="link" {...props} />
);
