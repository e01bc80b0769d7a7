/** Why a message to a person was not sent, in a sentence without secrets. `permanent`: trying again would not help. */
export class SendFailure extends Error {
  readonly permanent: boolean;
  constructor(message: string, { permanent }: { permanent: boolean }) {
    super(message);
    this.name = "SendFailure";
    this.permanent = permanent;
  }
}
