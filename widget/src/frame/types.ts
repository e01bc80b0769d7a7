/** The records of the visitor routes. */
export interface Message {
  id: string;
  /** The id that the frame gave to it; own messages only. */
  client_id?: string | null;
  conversation: string;
  seq: number;
  /** `in`: from the visitor. */
  direction: "in" | "out";
  sender_name: string | null;
  body: string;
  attachments: Attachment[];
  created_at: string;
  updated_at: string;
}

export interface Attachment {
  name: string;
  content_type: string;
  size_bytes: number;
  url: string;
}

export interface Conversation {
  id: string;
  last_message: Message | null;
  unread_count: number;
  contact_read_seq: number;
  /** Up to which message an agent has read. */
  agent_read_seq?: number;
  created_at: string;
  last_activity_at: string;
}

export interface Visitor {
  name: string | null;
  email: string | null;
  identified: boolean;
}
