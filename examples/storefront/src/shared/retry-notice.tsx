import { PlainButton } from './buttons.tsx';
import { focusMain } from './focus-main.ts';

interface RetryNoticeProps {
  readonly text: string;
  readonly isBusy: boolean;
  readonly retry: () => void;
}

/** A failed read, with a button that repeats it. */
export const RetryNotice = ({ text, isBusy, retry }: RetryNoticeProps) => (
  <div className="notice notice-bad notice-row" role="alert">
    <span>{text}</span>
    <PlainButton
      aria-disabled={isBusy}
      onClick={() => {
        if (isBusy) return;
        focusMain();
        retry();
      }}
    >
      Try again
    </PlainButton>
  </div>
);
