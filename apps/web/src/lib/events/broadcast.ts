/** Sends a message to the other tabs that have opened the channel. */
export function broadcast<Message>(channel: BroadcastChannel, message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the rule means windows; a channel stays within its origin
  channel.postMessage(message);
}
