// What a call does, in a word.

import type { CallPart } from "../api/messages.ts";

export interface CallState {
  word: string;
  tone: "busy" | "waits" | "good" | "bad" | "denied";
  isOver: boolean;
}

export function callState(part: CallPart, isLive: boolean, isQuestion: boolean): CallState {
  switch (part.state) {
    case "input-streaming":
      return isLive ? busy("being written") : { word: "not finished", tone: "denied", isOver: true };
    case "input-available":
      return isLive ? busy("running") : { word: "waiting", tone: "waits", isOver: false };
    case "approval-requested":
      return { word: isQuestion ? "asks you" : "needs approval", tone: "waits", isOver: false };
    case "approval-responded":
      // The server takes it with the next request, which waits until the calls under way have ended.
      if (isQuestion) {
        // The call goes on with either.
        const word = part.approval.approved ? "answered" : "declined";
        return isLive ? busy(word) : { word: `${word}, to be sent`, tone: "waits", isOver: false };
      }
      if (part.approval.approved) return isLive ? busy("approved") : { word: "approved, to be sent", tone: "waits", isOver: false };
      return { word: "denied", tone: "denied", isOver: true };
    case "output-available":
      if (part.preliminary && isLive) return busy("running");
      return { word: "done", tone: "good", isOver: true };
    case "output-error":
      return { word: "failed", tone: "bad", isOver: true };
    case "output-denied":
      return { word: "denied", tone: "denied", isOver: true };
  }
}

function busy(word: string): CallState {
  return { word, tone: "busy", isOver: false };
}
