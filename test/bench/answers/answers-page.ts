import { abortAnswers, answerChat, askModel } from './answer-chat.ts';

declare global {
  interface Window {
    benchAnswers: {
      abort: typeof abortAnswers;
      answerChat: typeof answerChat;
      askModel: typeof askModel;
    };
  }
}

window.benchAnswers = { abort: abortAnswers, answerChat, askModel };
