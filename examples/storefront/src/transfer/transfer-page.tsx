import { useRoute } from '../shared/route.ts';
import { useStored } from '../shared/stored.ts';
import { SentPanel } from './sent-panel.tsx';
import { sentTransfer } from './sent-transfer.ts';
import { TransferForm } from './transfer-form.tsx';
import { TransferList } from './transfer-list.tsx';
import { useTransfer } from './use-transfer.ts';

/** Transfers of domains from another registrar into the account. */
export function TransferPage() {
  const sent = useStored(sentTransfer);
  const { parameters } = useRoute();
  const form = useTransfer(parameters.get('domain') ?? '');
  return (
    <>
      <h1>Transfer a domain in</h1>
      <div className="cart">
        {sent ? <SentPanel sent={sent} form={form} /> : <TransferForm form={form} />}
        <section className="card" aria-label="Before you start">
          <h2>Before you start</h2>
          <ul className="findings">
            <li>Unlock the domain at its current registrar.</li>
            <li>Request its auth code there.</li>
            <li>Check that you can read the e-mail of the owner.</li>
            <li>A transfer usually takes five days. The name servers do not change.</li>
          </ul>
        </section>
      </div>
      <TransferList />
    </>
  );
}
