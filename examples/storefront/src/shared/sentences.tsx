/** Why something cannot be done, each sentence as a line. */
export const Sentences = ({ of }: { readonly of: readonly string[] }) =>
  of.map((sentence) => (
    <p key={sentence} className="problem">
      {sentence}
    </p>
  ));
